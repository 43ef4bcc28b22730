import { useState } from 'preact/hooks';
import type { List, Model } from '../api/answers.ts';
import { ChatTab } from '../chat/chat-tab.tsx';
import { EmbeddingsTab } from '../chat/embeddings-tab.tsx';
import { ImagesTab } from '../chat/images-tab.tsx';
import { show } from '../parts/page.tsx';
import { SignedIn } from '../parts/signed-in.tsx';
import { useAnswer } from '../parts/use-answer.ts';

function Chat() {
  const models = useAnswer<List<Model>>('/v1/models');
  const confidential = useAnswer<List<Model>>('/v1/confidential/models');
  const [tab, setTab] = useState('Chat');
  if (models.problem !== undefined) return <p class="notice bad">{models.problem}</p>;
  if (models.answer === undefined) return <p role="status">Loading the models…</p>;
  const { data } = models.answer;
  const drawing = data.find(({ capabilities }) => capabilities?.images);
  const embedding = data.find(({ capabilities }) => capabilities?.embeddings);
  const chat = data.filter((model) => !model.capabilities?.images && !model.capabilities?.embeddings);
  const agents = (confidential.answer?.data ?? []).filter(({ type }) => type === 'agent');
  const tabs = ['Chat', ...(drawing ? ['Images'] : []), ...(embedding ? ['Embeddings'] : [])];
  return (
    <>
      <h1 class="hidden">Chat</h1>
      {tabs.length > 1 && (
        <fieldset class="tabs">
          <legend class="hidden">Kinds of models</legend>
          {tabs.map((name) => (
            <button key={name} type="button" aria-pressed={tab === name} onClick={() => setTab(name)}>
              {name}
            </button>
          ))}
        </fieldset>
      )}
      <div>
        {tab === 'Chat' && <ChatTab models={chat} agents={agents} />}
        {tab === 'Images' && drawing !== undefined && <ImagesTab model={drawing} />}
        {tab === 'Embeddings' && embedding !== undefined && <EmbeddingsTab model={embedding} />}
      </div>
    </>
  );
}

show(() => (
  <SignedIn what="chat">
    <Chat />
  </SignedIn>
));
