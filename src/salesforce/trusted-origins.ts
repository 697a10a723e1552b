import { crmError } from './classify.ts';

/** Domains of Salesforce's org instances. */
const SALESFORCE_DOMAINS = [
  'salesforce.com',
  'force.com',
  'cloudforce.com',
  'salesforce.mil',
  'crmforce.mil',
  'sfcrmproducts.cn',
] as const;

/** The beginning of all paths of Salesforce's APIs that Lockstep calls. */
const ROOT = '/services/';

/**
 * The origins to which one tenant's requests may be sent: its login URL and its instance. Every address is checked, even if Salesforce
 * itself returned it.
 */
export interface TrustedOrigins {
  /** Accepts the instance that a sign-in returned. Throws `systemic` UNSAFE_INSTANCE_URL if no Salesforce org can have that address. */
  admitInstance(instanceUrl: string): string;
  /**
   * Checks an address and returns it in a normalised form. Throws `systemic` UNTRUSTED_ADDRESS if no request may be sent to it, and
   * UNSAFE_LOGIN_URL if the login URL is neither https nor on a loopback address.
   */
  checked(address: string): string;
}

export function createTrustedOrigins(loginUrl: string): TrustedOrigins {
  let instance: string | null = null;
  return {
    admitInstance(instanceUrl) {
      const url = bareOrigin(instanceUrl);
      if (url === null || !isInstanceOf(loginOrigin(loginUrl), url)) throw crmError('systemic', 'UNSAFE_INSTANCE_URL');
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

/**
 * Whether a sign-in at `login` may return `instance` as the org's address. If the login URL is on this machine, it belongs to a simulator,
 * so its instance must be on this machine too.
 */
function isInstanceOf(login: URL, instance: URL): boolean {
  if (isLocal(login)) return isLocal(instance);
  if (instance.protocol !== 'https:' || instance.port !== login.port) return false;
  if (instance.hostname === login.hostname) return true;
  return SALESFORCE_DOMAINS.some((domain) => instance.hostname.endsWith(`.${domain}`));
}

/** Whether the address is http (without TLS) on a loopback address. */
function isLocal({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && LOOPBACK.test(hostname);
}

/**
 * Checks the address of the Pub/Sub API and returns it as `host:port`. It must be an address of Salesforce, or an address on this machine
 * if the login URL is on this machine. Otherwise throws `systemic` UNSAFE_PUB_SUB_ENDPOINT, because calls contain the session's token.
 */
export function trustedEndpoint(loginUrl: string, endpoint: string): string {
  const [login, url] = [URL.parse(loginUrl), bareOrigin(`https://${endpoint}`)];
  const isOfSalesforce = SALESFORCE_DOMAINS.some((domain) => url?.hostname.endsWith(`.${domain}`));
  const isHere = login !== null && url !== null && LOOPBACK.test(login.hostname) && LOOPBACK.test(url.hostname);
  if (url !== null && (isOfSalesforce || isHere)) return `${url.hostname}:${url.port || '443'}`;
  throw crmError('systemic', 'UNSAFE_PUB_SUB_ENDPOINT');
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** The address as a URL, if it is only an origin, with or without a slash at the end; otherwise null. */
function bareOrigin(address: string): URL | null {
  const url = URL.parse(address);
  return url !== null && url.href === `${url.origin}/` ? url : null;
}
