/** Shared by the tests of sealed bodies: a canary in request and response, and an application that is closed after its test. */
import { afterEach } from 'vitest';
import type { FakeChat, FakeEngineOptions } from '../runtime/fake-engine.ts';
import { chatBody, startTestApp, type TestApp } from './test-app.ts';

export const canary = 'canary-5e41ed';

export const answering = { script: (chat: FakeChat) => void chat.answer('Good', ` ${canary}`) };

export const question = chatBody({ messages: [{ role: 'user', content: canary }] });

/** Call it in the `describe` of a test file. @returns a function that starts the application of one test */
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
