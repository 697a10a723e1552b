/** True for the addresses that never leave this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** True for the names by which a server that listens on the loopback is rightly asked, those below `localhost` too. */
export function isLoopbackName(hostname: string): boolean {
  return isLoopback(hostname) || /^(?:[a-z0-9-]+\.)+localhost$/.test(hostname);
}

/**
 * The address without its trailing slash, or what is wrong with it. Only https, or http to a loopback address; no
 * user name or password, query or fragment in it.
 */
export function checkBaseUrl(text: string): { readonly url: string } | { readonly problem: string } {
  if (!URL.canParse(text)) return { problem: 'must be an address such as https://api.example.com' };
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    return { problem: 'must not hold a user name or password: secrets are written as env:NAME or file:PATH' };
  }
  if (url.search !== '' || url.hash !== '') return { problem: 'must end with its path: no ? and no #' };
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return { problem: 'must start with https:// (plain http is accepted for loopback addresses only)' };
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { problem: 'must start with https://' };
  return { url: url.href.replace(/\/+$/, '') };
}
