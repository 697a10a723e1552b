import { describe, expect, it } from 'vitest';
import { createLogger } from '../../src/platform/logger.ts';
import { visibleText } from '../../src/platform/visible-text.ts';

const HOSTILE = '\u001b[2J\u009b31m\u202Egnp.exe\r\u0007\u007f';

describe('a text for a terminal', () => {
  it('shows every control character and hides nothing', () => {
    expect(visibleText(HOSTILE)).toBe('\\u001b[2J\\u009b31m\\u202egnp.exe\\u000d\\u0007\\u007f');
  });

  it.each(['two\nlines', 'a\ttab', 'Žižek & 株式会社', '👩‍💻', ''])('leaves %j as it is', (text) => {
    expect(visibleText(text)).toBe(text);
  });
});

describe('a log line for people', () => {
  it.each(['message', 'field'])('shows the control characters of a %s', (place) => {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const log = createLogger({ level: 'info', format: 'pretty', component: 'test', destination });
    if (place === 'message') log.info(HOSTILE);
    if (place === 'field') log.info('told', { code: HOSTILE });

    expect(lines.join('')).toMatch(/\\u001b\[2J/);
    expect(lines.join('').trimEnd()).not.toMatch(/[\p{Cc}\u202e]/u);
  });
});
