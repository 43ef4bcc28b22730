/** Reads random JSON as the body of a chat. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readChatCall } from '../../../../server/features/chat/call.ts';

const messages = [{ role: 'user', content: 'Hi' }];

describe('random JSON as a chat body', () => {
  const known = [
    'model',
    'messages',
    'temperature',
    'stop',
    'tools',
    'tool_choice',
    'logit_bias',
    'response_format',
    'n',
  ];
  const body = fc.dictionary(fc.oneof(fc.constantFrom(...known), fc.string()), fc.jsonValue(), { maxKeys: 12 });

  it('is parsed, or rejected with ERR_REQUEST_INVALID', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          body,
          body.map((fields) => ({ model: 'm', messages, ...fields })),
        ),
        (value) => {
          try {
            readChatCall(value, () => 0);
          } catch (error) {
            expect(error).toHaveProperty('code', 'ERR_REQUEST_INVALID');
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});
