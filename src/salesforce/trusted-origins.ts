import { crmError } from './classify.ts';

/** Where Salesforce serves instances of orgs. */
const SALESFORCE_DOMAINS = [
  'salesforce.com',
  'force.com',
  'cloudforce.com',
  'salesforce.mil',
  'crmforce.mil',
  'sfcrmproducts.cn',
] as const;

/** All of the API lies below. */
const ROOT = '/services/';

/**
 * Where requests of one tenant may go: to the origin it signs in at, and to that of its instance. The one rule for every
 * address, whoever named it: ours, the token answer's, or a page's next.
 */
export interface TrustedOrigins {
  /** Takes on the instance that a sign-in names. Throws `systemic` UNSAFE_INSTANCE_URL for one that no org has. */
  admitInstance(instanceUrl: string): string;
  /**
   * The address in its normal form; throws `systemic` UNTRUSTED_ADDRESS where nothing may be sent to it, and
   * UNSAFE_LOGIN_URL where the sign-in is neither encrypted nor on this machine.
   */
  checked(address: string): string;
}

export function createTrustedOrigins(loginUrl: string): TrustedOrigins {
  let instance: string | null = null;
  return {
    admitInstance(instanceUrl) {
      const url = bareOrigin(instanceUrl);
      if (url === null || !isInstanceOf(loginOrigin(loginUrl), url))
        throw crmError('systemic', 'UNSAFE_INSTANCE_URL');
      instance = url.origin;
      return url.origin;
    },
    checked(address) {
      const url = URL.parse(address);
      const isKnown = url !== null && [loginOrigin(loginUrl).origin, instance].includes(url.origin);
      const isClean = url?.username === '' && url.password === '' && url.pathname.startsWith(ROOT);
      if (!isKnown || !isClean) throw crmError('systemic', 'UNTRUSTED_ADDRESS');
      return url.href;
    },
  };
}

function loginOrigin(loginUrl: string): URL {
  const login = bareOrigin(loginUrl);
  if (login === null || !(login.protocol === 'https:' || isLocal(login)))
    throw crmError('systemic', 'UNSAFE_LOGIN_URL');
  return login;
}

/** A simulator's org lives on this machine, and no other does. */
function isInstanceOf(login: URL, instance: URL): boolean {
  if (isLocal(login)) return isLocal(instance);
  if (instance.protocol !== 'https:' || instance.port !== login.port) return false;
  if (instance.hostname === login.hostname) return true;
  return SALESFORCE_DOMAINS.some((domain) => instance.hostname.endsWith(`.${domain}`));
}

/** Plain http on a loopback address. */
function isLocal({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

/** An address that names an origin and nothing else, with or without its last slash. */
function bareOrigin(address: string): URL | null {
  const url = URL.parse(address);
  return url !== null && url.href === `${url.origin}/` ? url : null;
}
