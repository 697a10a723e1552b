/** Paths of keys (with dots) at which a tenant file may have `env:NAME` or `file:PATH`. */
const REFERENCES =
  /^(vendor\.apiKey|salesforce\.auth\.(clientId|username|privateKey|clientSecret)|webhooks\.(path|keys)(\.\d+)?)$/;

export function isReferencePlace(place: string): boolean {
  return REFERENCES.test(place);
}
