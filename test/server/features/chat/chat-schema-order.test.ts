/** Which of several wrong fields a refusal names: the first in the order in which the route reads them (I-023). */
import { describe, expect, it } from 'vitest';
import { readChatCall } from '../../../../server/features/chat/call.ts';

const messages = [{ role: 'user', content: 'Hi' }];
const tool = { type: 'function', function: { name: 'a', parameters: { type: 'object' } } };

describe('a chat body with several wrong fields', () => {
  it.each([
    [{ functions: [], model: 5 }, '`functions`'],
    [{ messages: [1], temperature: 3 }, '`messages[0]`'],
    [{ messages: [{ role: 'tool' }, 1] }, '`messages[0].tool_call_id`'],
    [{ stream: 1, tool_choice: 'required' }, '`stream`'],
    [{ tool_choice: 'required', n: 0 }, '`tool_choice`'],
    [{ tools: [tool, tool], response_format: 'json' }, '`tools`'],
    [{ max_tokens: 0, max_completion_tokens: 0 }, '`max_tokens`'],
    [{ stop: '', top_logprobs: 3 }, '`top_logprobs`'],
  ])('%j is rejected with 400 naming %s', (fields, field) => {
    const read = () => readChatCall({ model: 'm', messages, ...fields }, () => 42);
    expect(read).toThrow(
      expect.objectContaining({ code: 'ERR_REQUEST_INVALID', message: expect.stringContaining(field) }),
    );
  });
});
