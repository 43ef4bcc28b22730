import { describe, expect, it } from 'vitest';
import { buildLogger } from '../../../server/http/request-log.ts';
import { formatLine, terminalLines } from '../../../server/http/terminal-log.ts';

describe('log lines on a terminal', () => {
  it('are words, and clear a line of progress', () => {
    let written = '';
    const destination = terminalLines({ write: (text) => (written += text) });
    const logger = buildLogger({ level: 'info', destination });
    logger.warn({ model: 'demo-TEE', attempts: 2, none: [] }, 'engine lost: restarting');
    logger.child({ reqId: 'r1' }).info({ method: 'GET', status: 200, code: undefined }, 'request');
    const lines = written.replaceAll(/\d\d:\d\d:\d\d/g, 'TIME').split('\n');
    expect(lines).toEqual([
      '\r\u001b[KTIME warn engine lost: restarting (model demo-TEE, attempts 2)',
      '\r\u001b[KTIME info request (method GET, status 200, id r1)',
      '',
    ]);
  });

  it('show the time of the line, lists and objects', () => {
    const line = {
      level: 'error',
      time: '2026-11-23T12:30:01.123Z',
      msg: 'x',
      a: ['b', 'c'],
      fault: { type: 'Error' },
    };
    expect(formatLine(JSON.stringify(line))).toBe('12:30:01 error x (a b + c, fault {"type":"Error"})');
  });

  it('contain no control character of a value', () => {
    const line = formatLine(JSON.stringify({ level: 'info', time: '', msg: 'x\u001b[2J', a: 'b\u009b2J\n\u202ec' }));
    expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(line).toContain('2J');
  });
});
