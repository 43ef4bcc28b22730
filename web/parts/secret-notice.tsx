/** A secret that the server shows once, such as a new key. Nothing without one. */
import { CodeBlock } from './code-block.tsx';

export interface SecretNoticeProps {
  /** What it is, as in "key". */
  readonly what: string;
  readonly secret: string | undefined;
  /** A program that uses it. */
  readonly snippet?: string | undefined;
}

export function SecretNotice({ what, secret, snippet }: SecretNoticeProps) {
  if (secret === undefined) return null;
  return (
    <div class="notice good" role="status">
      <p>Copy the {what} now: it is shown only once.</p>
      <CodeBlock text={secret} label={what} />
      {snippet !== undefined && (
        <>
          <p>Try it in a terminal:</p>
          <CodeBlock text={snippet} label="snippet" />
        </>
      )}
    </div>
  );
}
