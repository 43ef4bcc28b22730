/** Writes answers as OpenAI's completions: one object, or the chunks of a stream. Pure. */
import type { ChatEvent } from '@cloister/runtime/chat/request';
import type { AnswerForm } from '../chat/answer-form.ts';
import type { AnswerHead } from '../chat/chat-answer.ts';
import type { CompletionCall } from './call.ts';
import { characters, LegacyLogprobs } from './legacy-logprobs.ts';

type Delta = Extract<ChatEvent, { kind: 'delta' }>;

/** @param call.echo may be filled in until the first event */
export function textForm({ prompts, echo, work, includeUsage }: CompletionCall): AnswerForm {
  const { choices: perPrompt, sampling } = work;
  const choices = prompts.length * perPrompt;
  const echoOf = (choice: number) => echo?.[Math.floor(choice / perPrompt)] ?? '';
  const logprobsOf = (choice: number) =>
    sampling.logprobs === undefined
      ? undefined
      : new LegacyLogprobs({ top: sampling.logprobs, offset: characters(echoOf(choice)) });
  const perChoice = <Value>(build: (choice: number) => Value) =>
    Array.from({ length: choices }, (_, choice) => build(choice));

  return {
    idPrefix: 'cmpl-',

    whole(head) {
      const texts = perChoice(() => '');
      const reasons = perChoice(() => 'stop');
      const logprobs = perChoice(logprobsOf);
      return {
        saw(event) {
          if (event.kind === 'finished') reasons[event.choice] = event.reason;
          if (event.kind !== 'delta') return;
          texts[event.choice] += event.content;
          logprobs[event.choice]?.add(event.logprobs);
        },
        build: (usage) => ({
          ...membersOf(head),
          choices: perChoice((index) => ({
            text: echoOf(index) + texts[index],
            index,
            logprobs: logprobs[index]?.take() ?? null,
            finish_reason: reasons[index],
          })),
          usage,
        }),
      };
    },

    stream(head) {
      const members = membersOf(head);
      const logprobs = perChoice(logprobsOf);
      const chunk = (choice: object) =>
        write({ ...members, choices: [choice], ...(includeUsage ? { usage: null } : {}) });
      const delta = ({ choice: index, content, logprobs: reports }: Delta) => {
        if (content === '' && reports.length === 0) return '';
        const tokens = logprobs[index];
        tokens?.add(reports);
        return chunk({ text: content, index, logprobs: tokens?.take() ?? null, finish_reason: null });
      };
      return {
        saw(event) {
          switch (event.kind) {
            case 'started':
              if (echo === undefined) return '';
              return perChoice((index) =>
                chunk({ text: echoOf(index), index, logprobs: null, finish_reason: null }),
              ).join('');
            case 'delta':
              return delta(event);
            case 'finished':
              return chunk({ text: '', index: event.choice, logprobs: null, finish_reason: event.reason });
            case 'further':
              return '';
          }
        },
        end: (usage) => `${includeUsage ? write({ ...members, choices: [], usage }) : ''}data: [DONE]\n\n`,
      };
    },
  };
}

function membersOf({ id, created, model, systemFingerprint }: AnswerHead) {
  return { id, object: 'text_completion', created, model, system_fingerprint: systemFingerprint };
}

function write(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
