/** What the tests of sealed bodies share: a canary that is asked and answered, and an application that ends with its test. */
import { afterEach } from 'vitest';
import type { FakeChat, FakeEngineOptions } from '../runtime/fake-engine.ts';
import { chatBody, startTestApp, type TestApp } from './test-app.ts';

export const canary = 'canary-5e41ed';

export const answering = { script: (chat: FakeChat) => void chat.answer('Good', ` ${canary}`) };

export const question = chatBody({ messages: [{ role: 'user', content: canary }] });

/** To be called where a file's tests are described. @returns what starts the application of one test */
export function appPerTest(): (options?: FakeEngineOptions & { overrides?: object }) => Promise<TestApp> {
  let running: TestApp | undefined;
  afterEach(async () => {
    await running?.close();
    running = undefined;
  });
  return async (options = answering) => {
    running = await startTestApp(options);
    return running;
  };
}
