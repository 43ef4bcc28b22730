/** Writes answers as Anthropic's messages: content blocks, or the events of a stream. Pure. */
import type { ChatEvent } from '@cloister/runtime/chat/request';
import { type AnswerBlock, AnswerBlocks, type BlockStep } from '../chat/answer-blocks.ts';
import type { AnswerForm } from '../chat/answer-form.ts';
import type { AnswerHead, Usage } from '../chat/chat-answer.ts';

type Finished = Extract<ChatEvent, { kind: 'finished' }>;

const ping = 'event: ping\ndata: {"type": "ping"}\n\n';

/** @param markedTokens the tokens of the prompt that `cache_control` marks; known when the answer starts */
export function messageForm(markedTokens: () => number): AnswerForm {
  const usageOf = (usage: Usage) => anthropicUsage(usage, markedTokens());
  return {
    idPrefix: 'msg_',
    heartbeat: ping,

    whole(head) {
      const blocks = new AnswerBlocks();
      let finished: Finished | undefined;
      return {
        saw(event) {
          if (event.kind === 'delta') blocks.saw(event);
          if (event.kind === 'finished') finished = event;
        },
        build: (usage) => ({
          ...message(head, usageOf(usage)),
          content: blocks.blocks.map(contentOf),
          ...stopOf(finished!),
        }),
      };
    },

    stream(head) {
      const blocks = new AnswerBlocks();
      let finished: Finished | undefined;
      return {
        saw(event, usage) {
          switch (event.kind) {
            case 'started':
              return eventText('message_start', { message: message(head, usageOf(usage.total)) }) + ping;
            case 'delta':
              return blocks.saw(event).map(writeStep).join('');
            case 'finished':
              finished = event;
              return blocks.close().map(writeStep).join('');
            case 'further':
              return '';
          }
        },
        end: (usage) =>
          eventText('message_delta', { delta: stopOf(finished!), usage: usageOf(usage) }) +
          eventText('message_stop', {}),
      };
    },
  };
}

function eventText(type: string, members: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;
}

/** A message without content. */
function message({ id, model }: AnswerHead, usage: object) {
  return { id, type: 'message', role: 'assistant', model, content: [], stop_reason: null, stop_sequence: null, usage };
}

/** Each token of the prompt is counted once: read from the cache, created in its marked part, or input. */
function anthropicUsage(
  { prompt_tokens: prompt, completion_tokens: output, prompt_tokens_details: { cached_tokens: cached } }: Usage,
  markedTokens: number,
) {
  const created = Math.max(0, Math.min(markedTokens, prompt) - cached);
  return {
    input_tokens: prompt - cached - created,
    cache_creation_input_tokens: created,
    cache_read_input_tokens: cached,
    output_tokens: output,
  };
}

const reasons = { stop: 'end_turn', length: 'max_tokens', tool_calls: 'tool_use' } as const;

function stopOf({ reason, stop }: Finished) {
  if (stop !== undefined) return { stop_reason: 'stop_sequence', stop_sequence: stop };
  return { stop_reason: reasons[reason], stop_sequence: null };
}

function contentOf(block: AnswerBlock) {
  switch (block.kind) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'reasoning':
      return { type: 'thinking', thinking: block.text, signature };
    case 'call':
      return { type: 'tool_use', id: block.id, name: block.name, input: inputOf(block.text) };
  }
}

/** Arguments that the token limit cut are no JSON: the caller sees `stop_reason` "max_tokens" and no input. */
function inputOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

function writeStep(step: BlockStep): string {
  const { kind, index, block } = step;
  switch (kind) {
    case 'open':
      return eventText('content_block_start', { index, content_block: emptyOf(block) });
    case 'append':
      return eventText('content_block_delta', { index, delta: deltaOf(block, step.text) });
    case 'close': {
      const signed = { index, delta: { type: 'signature_delta', signature } };
      const ending = block.kind === 'reasoning' ? eventText('content_block_delta', signed) : '';
      return ending + eventText('content_block_stop', { index });
    }
  }
}

/** Clients send thinking back only if it has a signature. This server reads it without one and checks none. */
const signature = 'unsigned';

function emptyOf(block: AnswerBlock) {
  const empty = contentOf({ ...block, text: '' });
  return empty.type === 'thinking' ? { ...empty, signature: '' } : empty;
}

function deltaOf({ kind }: AnswerBlock, text: string) {
  switch (kind) {
    case 'text':
      return { type: 'text_delta', text };
    case 'reasoning':
      return { type: 'thinking_delta', thinking: text };
    case 'call':
      return { type: 'input_json_delta', partial_json: text };
  }
}
