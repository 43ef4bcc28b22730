/** The conversation with a model or an agent. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Model } from '../api/answers.ts';
import { saveFile } from '../parts/save-file.ts';
import { Composer } from './composer.tsx';
import { type AnswerTurn, ask, clear, exportText, isAnswering, retry, settings, turns } from './conversation.ts';
import { ProofDrawer } from './proof-drawer.tsx';
import { TurnView } from './turn-view.tsx';

export interface ChatTabProps {
  readonly models: readonly Model[];
  readonly agents: readonly Model[];
}

export function ChatTab({ models, agents }: ChatTabProps) {
  const [chosen, setChosen] = useState<string>();
  const proven = useSignal<AnswerTurn | undefined>(undefined);
  const model = chosen ?? models[0]?.id ?? agents[0]?.id;
  const agent = agents.find(({ id }) => id === model);
  const isAgent = agent !== undefined;
  const target = (listsFacts: boolean) => ({ model: model ?? '', isAgent, listsFacts });
  const canListFacts = agent?.capabilities?.lists_facts === true;
  const all = turns.value;
  const exchange = proven.value?.answer.value.exchange;
  return (
    <div class="chat">
      <div class="row">
        <label>
          Model{' '}
          <select value={model} onChange={(event) => setChosen(event.currentTarget.value)}>
            <Group label="Models" entries={models} />
            <Group label="Agents" entries={agents} />
          </select>
        </label>
        <SettingsView isAgent={isAgent} />
        <span class="push" />
        {all.length > 0 && (
          <>
            <button type="button" class="quiet" onClick={() => saveFile('conversation.md', exportText())}>
              Export
            </button>
            <button type="button" class="quiet" onClick={clear}>
              New chat
            </button>
          </>
        )}
      </div>
      <div class="turns">
        {all.length === 0 && <Welcome isAgent={isAgent} />}
        {all.map((turn, index) => (
          <TurnView
            key={turn.id}
            turn={turn}
            onProve={(answer) => {
              proven.value = answer;
            }}
            onRetry={
              index === all.length - 1 && !isAnswering.value
                ? () => void retry(target(canListFacts && turn.role === 'assistant' && turn.listsFacts))
                : undefined
            }
          />
        ))}
        <End />
      </div>
      <p class="hidden" role="status">
        {isAnswering.value ? 'The answer is being written.' : all.length > 0 ? 'The answer is complete.' : ''}
      </p>
      <Composer
        onSend={(message) => void ask(message, target(false))}
        onListFacts={canListFacts ? (message) => void ask(message, target(true)) : undefined}
        readsFiles={isAgent}
        isReady={model !== undefined}
      />
      {exchange !== undefined && (
        <ProofDrawer
          exchange={exchange}
          onClose={() => {
            proven.value = undefined;
          }}
        />
      )}
    </div>
  );
}

function Group({ label, entries }: { readonly label: string; readonly entries: readonly Model[] }) {
  if (entries.length === 0) return null;
  return (
    <optgroup label={label}>
      {entries.map(({ id, name, status }) => (
        <option key={id} value={id} disabled={status !== undefined && status !== 'ready'}>
          {name ?? id}
        </option>
      ))}
    </optgroup>
  );
}

function Welcome({ isAgent }: { readonly isAgent: boolean }) {
  return (
    <div class="welcome">
      <h2>Ask in confidence</h2>
      <p>
        {isAgent
          ? 'Paste a document or attach files. Tools read all of it and compute the findings; the model explains them.'
          : 'Messages are encrypted to this machine and stored nowhere. Each answer has a proof.'}
      </p>
    </div>
  );
}

/** Keeps the end of the conversation in view while an answer arrives, unless the reader has scrolled up. */
function End() {
  const end = useRef<HTMLDivElement>(null);
  const last = turns.value.at(-1);
  const length = last?.role === 'assistant' ? last.answer.value.text.length : turns.value.length;
  useEffect(() => {
    const distance = document.documentElement.scrollHeight - window.scrollY - window.innerHeight;
    if (length > 0 && distance < 240) end.current?.scrollIntoView({ block: 'end' });
  }, [length]);
  return <div ref={end} />;
}

function SettingsView({ isAgent }: { readonly isAgent: boolean }) {
  const { instructions, temperature, answerTokensMax } = settings.value;
  const number = (text: string) => (text === '' ? undefined : Number(text));
  return (
    <details class="settings">
      <summary>Settings</summary>
      <div class="card stack">
        <label>
          Instructions
          <textarea
            rows={3}
            value={instructions}
            onInput={(event) => {
              settings.value = { ...settings.value, instructions: event.currentTarget.value };
            }}
          />
        </label>
        <label>
          Temperature
          <input
            type="number"
            min={0}
            max={isAgent ? 1 : 2}
            step={0.1}
            value={temperature ?? ''}
            placeholder="default"
            onInput={(event) => {
              settings.value = { ...settings.value, temperature: number(event.currentTarget.value) };
            }}
          />
        </label>
        <label>
          Most tokens of an answer
          <input
            type="number"
            min={1}
            step={1}
            value={answerTokensMax ?? ''}
            placeholder="default"
            onInput={(event) => {
              settings.value = { ...settings.value, answerTokensMax: number(event.currentTarget.value) };
            }}
          />
        </label>
      </div>
    </details>
  );
}
