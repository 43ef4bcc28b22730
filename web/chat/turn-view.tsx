/** One message of the conversation. */
import { CodeBlock, CopyButton } from '../parts/code-block.tsx';
import { formatCount } from '../parts/format.ts';
import { Markdown } from '../parts/markdown.tsx';
import { Problem } from '../parts/problem.tsx';
import type { Answer, AnswerTurn, Turn, UserTurn } from './conversation.ts';
import { Findings } from './findings.tsx';
import { ListedFacts } from './listed-facts.tsx';

export interface TurnViewProps {
  readonly turn: Turn;
  /** Set on the last answer. */
  readonly onRetry?: (() => void) | undefined;
  readonly onProve: (turn: AnswerTurn) => void;
}

export function TurnView({ turn, onRetry, onProve }: TurnViewProps) {
  return turn.role === 'user' ? (
    <UserView turn={turn} />
  ) : (
    <AnswerView turn={turn} onRetry={onRetry} onProve={onProve} />
  );
}

function UserView({ turn: { text, attachments } }: { readonly turn: UserTurn }) {
  return (
    <article class="turn user" aria-label="You">
      {text !== '' && <p class="plain">{text}</p>}
      {attachments.length > 0 && (
        <ul class="chips">
          {attachments.map(({ name, bytes }) => (
            <li key={name}>
              {name} <span class="fine">{formatCount(Math.ceil(bytes / 1000))} kB</span>
            </li>
          ))}
        </ul>
      )}
    </article>
  );
}

function AnswerView({ turn, onRetry, onProve }: Omit<TurnViewProps, 'turn'> & { readonly turn: AnswerTurn }) {
  const answer = turn.answer.value;
  const isOpen = answer.state === 'waiting' || answer.state === 'streaming';
  return (
    <article class="turn answer" aria-label={turn.model} aria-busy={isOpen}>
      <p class="who">{turn.model}</p>
      {answer.reasoning !== '' && (
        <details class="reasoning">
          <summary>Reasoning</summary>
          <p class="plain">{answer.reasoning}</p>
        </details>
      )}
      {answer.state === 'waiting' && <p class="waiting">Waiting for the first word…</p>}
      {turn.listsFacts ? <FactsText text={answer.text} isOpen={isOpen} /> : <Markdown text={answer.text} />}
      {answer.toolCalls.map(({ name, arguments: text }, index) => (
        <details key={index} open>
          <summary>
            Calls <code>{name}</code>
          </summary>
          <CodeBlock text={text} label="arguments" />
        </details>
      ))}
      {answer.report?.facts !== undefined && <ListedFacts report={answer.report.facts} />}
      {answer.report !== undefined && <Findings report={answer.report} />}
      <Problem text={answer.problem} />
      {!isOpen && (
        <footer class="row">
          <span class="fine">{endOf(answer)}</span>
          <span class="push" />
          {answer.exchange !== undefined && (
            <button type="button" class="quiet" aria-haspopup="dialog" onClick={() => onProve(turn)}>
              Proof
            </button>
          )}
          {answer.text !== '' && <CopyButton text={answer.text} label="answer" />}
          {onRetry !== undefined && (
            <button type="button" class="quiet" onClick={onRetry}>
              Try again
            </button>
          )}
        </footer>
      )}
    </article>
  );
}

/** The model's list as it writes it, for those who want to compare. */
function FactsText({ text, isOpen }: { readonly text: string; readonly isOpen: boolean }) {
  const count = text.split('"kind"').length - 1;
  if (text === '') return null;
  if (isOpen) return <p class="waiting">{formatCount(count)} facts listed so far…</p>;
  return (
    <details>
      <summary>The list as the model wrote it: {formatCount(count)} facts</summary>
      <CodeBlock text={text} label="list" />
    </details>
  );
}

function endOf({ state, finishReason, usage }: Answer): string {
  const tokens =
    usage === undefined ? '' : `${formatCount(usage.promptTokens)} + ${formatCount(usage.answerTokens)} tokens`;
  const ends: Readonly<Record<string, string>> = { length: 'cut at the limit of tokens', content_filter: 'filtered' };
  const end = state === 'stopped' ? 'stopped' : (ends[finishReason ?? ''] ?? '');
  return [tokens, end].filter((part) => part !== '').join(' · ');
}
