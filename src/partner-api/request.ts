import type { TakesExtra } from './extra.ts';

/** The facts that all calls of one operation share in one version of the vendor's API. */
export type Endpoint = {
  /** The operation's name, as counters and error reports show it. */
  readonly operation: string;
  readonly domain: 'sales' | 'order';
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Full path with `{id}` placeholders, for example `/sales/api4partners/v1/leads-opportunities/{id}`. */
  readonly template: string;
};

export type ApiRequest = {
  readonly endpoint: Endpoint;
  /** Values of the template's placeholders; they are URL-encoded. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, number | undefined>>;
  /** The body, which is sent as JSON; without it, no body is sent. */
  readonly body?: TakesExtra;
};

/** Path and query of a request. Throws if a placeholder has no value, which is a programming error. */
export function pathOf(request: ApiRequest): string {
  const path = request.endpoint.template.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const value = request.path?.[name];
    if (value === undefined) throw new TypeError(`No value for the path parameter ${name}`);
    // An empty segment, `.` or `..` would turn the path into that of another operation.
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`The path parameter ${name} is empty or dots`);
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined) query.set(name, String(value));
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

/** A base address without its trailing slash. Throws a TypeError if it is no plain http(s) address. */
export function normalizeBaseUrl(name: string, value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  const plain = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  if (!plain || url.search !== '' || url.hash !== '') {
    throw new TypeError(`${name} must be an http(s) address without credentials, query or fragment`);
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}
