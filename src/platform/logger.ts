/**
 * A logger that cannot reveal values by accident: a message is a fixed text, a field has one of the names in `LOGGED_FIELDS`, and an error
 * is reduced to its codes and stack frames. Text in a finished line that looks like a credential is masked.
 */
import { type DestinationStream, pino } from 'pino';
import { type LogFields, listedFields } from './log-fields.ts';
import { maskCredentials } from './mask.ts';
import { prettyStream } from './pretty-log.ts';

export type { LogFields } from './log-fields.ts';
export { pickFields } from './log-fields.ts';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export const LOG_FORMATS = ['pretty', 'json'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** A logger. `message` is a fixed text without values; variable parts go into `fields`. */
export interface Logger {
  trace(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A logger that adds these fields to each line. */
  child(fields: LogFields): Logger;
}

/** A logger that writes one line for each event, by default to stderr, because stdout is for results that programs read. */
export function createLogger(options: {
  readonly level: LogLevel;
  readonly format: LogFormat;
  readonly component: string;
  readonly color?: boolean;
  readonly destination?: DestinationStream;
}): Logger {
  const target = options.destination ?? pino.destination({ dest: 2, sync: true });
  const stream = options.format === 'pretty' ? prettyStream(target, options.color ?? false) : target;
  const base = pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: maskCredentials },
    },
    stream,
  );
  return wrap(base, { component: options.component });
}

/** A logger that writes nothing, for tests and libraries. */
export const silentLogger: Logger = wrap(pino({ level: 'silent' }), {});

function wrap(target: pino.Logger, bound: LogFields): Logger {
  function write(level: Exclude<LogLevel, 'silent'>, message: string, fields: LogFields | undefined): void {
    if (!target.isLevelEnabled(level)) return;
    target[level](listedFields({ ...bound, ...fields }), message);
  }
  return {
    trace: (message, fields) => write('trace', message, fields),
    debug: (message, fields) => write('debug', message, fields),
    info: (message, fields) => write('info', message, fields),
    warn: (message, fields) => write('warn', message, fields),
    error: (message, fields) => write('error', message, fields),
    child: (fields) => wrap(target, { ...bound, ...fields }),
  };
}
