import type { DestinationStream } from 'pino';
import { visibleText } from './visible-text.ts';

const COLORS: Readonly<Record<string, string>> = {
  warn: '\u001b[33m',
  error: '\u001b[31m',
  debug: '\u001b[2m',
};
const RESET = '\u001b[0m';

/** Converts pino's log lines from JSON to readable lines for people, one for each event. */
export function prettyStream(target: DestinationStream, color: boolean): DestinationStream {
  return { write: (line: string) => target.write(`${prettyLine(line, color)}\n`) };
}

function prettyLine(json: string, color: boolean): string {
  const { level, time, msg, component, err, ...fields } = JSON.parse(json) as Record<string, unknown>;
  const clock = String(time).slice(11, 19);
  const rest = Object.entries(fields).map(([name, value]) => `${name}=${shown(value)}`);
  const error = err === undefined ? [] : [`err=${JSON.stringify(err)}`];
  const label = String(level).padEnd(5);
  const start = color ? (COLORS[String(level)] ?? '') : '';
  const end = start === '' ? '' : RESET;
  const text = [`${String(component ?? '')}: ${String(msg)}`, ...rest, ...error].join(' ');
  return `${clock} ${start}${label}${end} ${visibleText(text)}`;
}

/** Puts a text with white space in quotes, so that a value cannot look like a log line of its own. */
function shown(value: unknown): string {
  const text = String(value);
  return /^[^\s"]+$/.test(text) ? text : JSON.stringify(text);
}
