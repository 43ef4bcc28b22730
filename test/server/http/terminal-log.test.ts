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

  it('have a color for warnings and errors, only where the terminal has colors', () => {
    const write = (hasColors?: () => boolean) => {
      let written = '';
      const destination = terminalLines({ write: (text) => (written += text) }, { ...(hasColors && { hasColors }) });
      const logger = buildLogger({ level: 'info', destination });
      for (const level of ['info', 'warn', 'error'] as const) logger[level]('x');
      return written.replaceAll('\r\u001b[K', '').replaceAll(/\d\d:\d\d:\d\d /g, '');
    };
    expect(write(() => true)).toBe('info x\n\u001b[33mwarn\u001b[39m x\n\u001b[31merror\u001b[39m x\n');
    for (const plain of [undefined, () => false]) expect(write(plain)).toBe('info x\nwarn x\nerror x\n');
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
