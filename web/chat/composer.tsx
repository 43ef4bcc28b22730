/** The field for the next message. */
import { useRef, useState } from 'preact/hooks';
import { reasonOf } from '../api/request.ts';
import { Problem } from '../parts/problem.tsx';
import { acceptedFiles, readAttachments } from './attachments.ts';
import { type Attachment, isAnswering, stop, type UserTurn } from './conversation.ts';

type Message = Pick<UserTurn, 'text' | 'attachments'>;

export interface ComposerProps {
  readonly onSend: (message: Message) => void;
  /** Asks for the facts of a document; undefined for models that cannot list them. */
  readonly onListFacts: ((message: Message) => void) | undefined;
  /** Whether the chosen model reads files: agents do. */
  readonly readsFiles: boolean;
  readonly isReady: boolean;
}

export function Composer({ onSend, onListFacts, readsFiles, isReady }: ComposerProps) {
  const [text, setText] = useState('');
  const [attachments, setAttachments] = useState<readonly Attachment[]>([]);
  const [problem, setProblem] = useState('');
  const picker = useRef<HTMLInputElement>(null);
  const isIdle = isReady && !isAnswering.value;
  const canSend = isIdle && text.trim() !== '';
  const send = (to: (message: Message) => void) => {
    to({ text, attachments: readsFiles ? attachments : [] });
    setText('');
    setAttachments([]);
  };
  const submit = () => {
    if (canSend) send(onSend);
  };
  const sendOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    submit();
  };
  const attach = async (files: FileList | null) => {
    try {
      setAttachments(await readAttachments([...(files ?? [])], attachments));
      setProblem('');
    } catch (error) {
      setProblem(reasonOf(error));
    }
    if (picker.current !== null) picker.current.value = '';
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {attachments.length > 0 && readsFiles && (
        <ul class="chips">
          {attachments.map((file) => (
            <li key={file.name}>
              {file.name}
              <button
                type="button"
                class="quiet"
                aria-label={`Remove ${file.name}`}
                onClick={() => setAttachments(attachments.filter((other) => other !== file))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <Problem text={problem} />
      <label class="hidden" for="message">
        Message
      </label>
      <textarea
        id="message"
        rows={3}
        value={text}
        placeholder="Write a message. Enter sends it, Shift and Enter start a new line."
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={sendOnEnter}
      />
      <div class="row">
        {readsFiles && (
          <>
            <input
              ref={picker}
              type="file"
              id="files"
              class="hidden"
              multiple
              accept={acceptedFiles}
              onChange={(event) => void attach(event.currentTarget.files)}
            />
            <label class="button small" for="files">
              Attach files
            </label>
          </>
        )}
        <span class="push" />
        {isAnswering.value ? (
          <button type="button" onClick={stop}>
            Stop
          </button>
        ) : (
          <>
            {onListFacts !== undefined && (
              <button
                type="button"
                disabled={!isIdle || (text.trim() === '' && attachments.length === 0)}
                onClick={() => send(onListFacts)}
              >
                List facts
              </button>
            )}
            <button type="submit" class="primary" disabled={!canSend}>
              Send
            </button>
          </>
        )}
      </div>
    </form>
  );
}
