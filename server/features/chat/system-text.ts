/** Puts system messages where most chat templates take them. Pure. */
import type { ChatMessage } from '@cloister/models/interface/model';

/**
 * System messages before the first answer join the system text, since many templates take one system message only, at the beginning.
 * Later ones stay where they are.
 */
export function withSystemFirst(system: string, messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const firstAnswer = messages.findIndex(({ role }) => role === 'assistant');
  const beginning = firstAnswer < 0 ? messages : messages.slice(0, firstAnswer);
  const texts = [system, ...beginning.flatMap(({ role, content }) => (role === 'system' ? [content] : []))];
  const content = texts.filter((text) => text !== '').join('\n');
  const others = [...beginning.filter(({ role }) => role !== 'system'), ...messages.slice(beginning.length)];
  return content === '' ? others : [{ role: 'system', content }, ...others];
}
