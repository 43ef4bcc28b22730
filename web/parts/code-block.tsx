/** Text in a fixed-width font, with a button that copies it. */
import { useState } from 'preact/hooks';

export interface CodeBlockProps {
  readonly text: string;
  /** What the button copies, for screen readers. */
  readonly label?: string;
}

const copiedMs = 1_500;

export function CodeBlock({ text, label = 'code' }: CodeBlockProps) {
  return (
    <div class="code">
      {/* A keyboard must be able to scroll it. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} label={label} />
    </div>
  );
}

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setIsCopied(true);
    setTimeout(() => setIsCopied(false), copiedMs);
  };
  return (
    <button type="button" class="copy quiet" onClick={() => void copy()}>
      {isCopied ? 'Copied' : 'Copy'}
      <span class="hidden"> {label}</span>
    </button>
  );
}
