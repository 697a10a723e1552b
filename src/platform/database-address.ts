type Environment = Readonly<Record<string, string | undefined>>;

/** Where the driver will connect to, and how. `sslMode`: as it stands in the address; `''` where nothing is said. */
export type DatabaseAddress = { readonly isHere: boolean; readonly sslMode: string };

/** The driver encodes such an address once more before it reads it. */
const IRREGULAR = / |%[^a-f0-9]|%[a-f0-9][^a-f0-9]/i;

/**
 * What PostgreSQL's driver makes of an address: `host=` goes before the host of the address, and `PGHOST` counts where neither
 * names one. What is said twice, or in a way that two readers may read otherwise, is refused.
 */
export function databaseAddress(
  value: string,
  env: Environment,
): DatabaseAddress | { readonly problem: string } {
  const url = /^postgres(ql)?:\/\/./.test(value) ? URL.parse(value) : null;
  if (url === null) return { problem: 'must be an address that begins with postgres:// or postgresql://' };
  if (IRREGULAR.test(value))
    return { problem: 'holds a blank or a % that stands for itself: write %20 or %25' };
  const names = [...url.searchParams.keys()];
  const doubled = names.find((name, at) => names.indexOf(name) < at);
  if (doubled !== undefined) return { problem: 'says one of its parameters twice: keep one of them' };
  const { searchParams, hostname } = url;
  const host = searchParams.get('host') || decodeURIComponent(hostname) || env['PGHOST'] || '';
  return { isHere: isOnThisMachine(host), sslMode: searchParams.get('sslmode') ?? '' };
}

/** Without a host it is the loopback, and a path is a socket of this machine. */
function isOnThisMachine(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?|)$/.test(host) || host.startsWith('/');
}
