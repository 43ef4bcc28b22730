/** Prompts with images: ids below 0 stand for embeddings, which a model computes apart from tokens. Pure. */

/**
 * The number of tokens from `position` on that one row can feed: up to the next change between text and an image.
 * @param prompt `hasImages` is not set for prompts of text alone, which are not searched
 */
export function tokensOfOneKind(
  { prompt, hasImages = false }: { readonly prompt: Int32Array; readonly hasImages?: boolean | undefined },
  position: number,
): number {
  if (!hasImages) return prompt.length - position;
  const isImage = prompt[position]! < 0;
  let end = position + 1;
  while (end < prompt.length && prompt[end]! < 0 === isImage) end += 1;
  return end - position;
}

/** The first draft tokens, up to an id that stands for an embedding: an answer has none. */
export function withoutImages(tokens: Int32Array): Int32Array {
  const image = tokens.findIndex((token) => token < 0);
  return image < 0 ? tokens : tokens.subarray(0, image);
}
