/** A problem in a sentence, which screen readers read when it appears. Nothing without a text. */
export function Problem({ text }: { readonly text: string | undefined }) {
  if (text === undefined || text === '') return null;
  return (
    <p class="notice bad" role="alert">
      {text}
    </p>
  );
}
