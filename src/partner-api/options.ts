import { type Dispatcher, getGlobalDispatcher } from 'undici';
import type { DeprecatedUse } from './deprecation.ts';
import type { RepeatReads } from './repeat-reads.ts';
import { normalizeBaseUrl } from './request.ts';

export type PartnerApiOptions = {
  /** Base address of the sales domain, without the prefix `/sales/api4partners`. */
  readonly salesBaseUrl: string;
  /** Base address of the order domain, without `/order/api4partners`; default: `salesBaseUrl`. */
  readonly orderBaseUrl?: string;
  /** Returns the API key. Called for each request, so that a rotated key is used at once. */
  readonly apiKey: () => string | Promise<string>;
  /**
   * Header that carries the API key in requests to the sales domain; default `X-API-Key`. The vendor's sales document does not name this
   * header.
   */
  readonly keyHeader?: string;
  /** Header that carries the key in the order domain; default `X-API-Key`, as documented (order spec 5). */
  readonly orderKeyHeader?: string;
  /** Time limit of a whole request in ms, from asking for the key to the last byte of the answer; default 30000. */
  readonly timeoutMs?: number;
  /** Size limit of an answer in bytes; default 16 MiB. */
  readonly maxBodyBytes?: number;
  /** undici dispatcher (proxy, TLS, pool size); default: undici's global one. It must not retry or redirect. */
  readonly dispatcher?: Dispatcher;
  /** Called when a call uses a deprecated version, at most once per operation and process; default: a process warning. */
  readonly onDeprecated?: (use: DeprecatedUse) => void;
  /** Whether the client repeats reads, after a wait, if the vendor throttles them or cannot answer at the moment. Default: false. */
  readonly repeatReads?: RepeatReads | false;
  /** The clock for rules such as "not in the future" (order spec 4.2); default: the system's. */
  readonly now?: () => Date;
};

export type DomainAddress = { readonly baseUrl: string; readonly keyHeader: string };

export type TransportOptions = {
  readonly domains: { readonly sales: DomainAddress; readonly order: DomainAddress };
  readonly apiKey: () => string | Promise<string>;
  readonly timeoutMs: number;
  readonly maxBodyBytes: number;
  readonly dispatcher: () => Dispatcher;
};

const MAX_TIMER_MS = 2_147_483_647;

/** Fills in the defaults. If an option cannot be used, throws a TypeError that names the option. */
export function resolveOptions(options: PartnerApiOptions): TransportOptions {
  const orderBaseUrl = options.orderBaseUrl ?? options.salesBaseUrl;
  return {
    domains: {
      sales: {
        baseUrl: normalizeBaseUrl('salesBaseUrl', options.salesBaseUrl),
        keyHeader: headerName('keyHeader', options.keyHeader ?? 'X-API-Key'),
      },
      order: {
        baseUrl: normalizeBaseUrl('orderBaseUrl', orderBaseUrl),
        keyHeader: headerName('orderKeyHeader', options.orderKeyHeader ?? 'X-API-Key'),
      },
    },
    apiKey: options.apiKey,
    timeoutMs: positive('timeoutMs', options.timeoutMs ?? 30_000, MAX_TIMER_MS),
    maxBodyBytes: positive('maxBodyBytes', options.maxBodyBytes ?? 16 * 1024 * 1024, Number.MAX_SAFE_INTEGER),
    dispatcher: () => options.dispatcher ?? getGlobalDispatcher(),
  };
}

function headerName(option: string, value: string): string {
  if (/^[\w!#$%&'*+.^`|~-]+$/.test(value)) return value;
  throw new TypeError(`${option} must be the name of an HTTP header`);
}

function positive(option: string, value: number, max: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw new TypeError(`${option} must be an integer from 1 to ${max}`);
}
