type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The address that the driver connects to. `isHere`: whether the server is on this machine. `sslMode`: the value of the address's
 * `sslmode`; `''` if it has none.
 */
export type DatabaseAddress = { readonly isHere: boolean; readonly sslMode: string };

/**
 * Matches an address that contains a space or a `%` without two hex digits. PostgreSQL's driver encodes such an address once more and may
 * connect elsewhere, so it is refused.
 */
const IRREGULAR = / |%[^a-f0-9]|%[a-f0-9][^a-f0-9]/i;

/**
 * Finds the host and `sslmode` of an address as PostgreSQL's driver does: `host=` overrides the address's host, and `PGHOST` counts if
 * neither is given. Returns a problem for an address with a repeated or ambiguous part.
 */
export function databaseAddress(value: string, env: Environment): DatabaseAddress | { readonly problem: string } {
  const url = /^postgres(ql)?:\/\/./.test(value) ? URL.parse(value) : null;
  if (url === null) return { problem: 'must be an address that begins with postgres:// or postgresql://' };
  if (IRREGULAR.test(value)) return { problem: 'holds a blank or a % that stands for itself: write %20 or %25' };
  const names = [...url.searchParams.keys()];
  const doubled = names.find((name, at) => names.indexOf(name) < at);
  if (doubled !== undefined) return { problem: 'says one of its parameters twice: keep one of them' };
  if (names.includes('uselibpqcompat'))
    return {
      problem: "would not check the server's certificate: leave uselibpqcompat out, and choose sslmode=verify-full",
    };
  const { searchParams, hostname } = url;
  const host = searchParams.get('host') || decodeURIComponent(hostname) || env['PGHOST'] || '';
  return { isHere: isOnThisMachine(host), sslMode: searchParams.get('sslmode') ?? '' };
}

/** Whether a host is this machine. No host means loopback, and a path means a local socket. */
function isOnThisMachine(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?|)$/.test(host) || host.startsWith('/');
}
