/**
 * The OpenID Connect configuration of an org, readable without a session (Salesforce Help: "Query for the OpenID Connect Configuration").
 * Its addresses for browsers are named as in an org but not served.
 */
export function discoveryOf(origin: string): Readonly<Record<string, string | readonly string[]>> {
  const at = (name: string) => `${origin}/services/oauth2/${name}`;
  return {
    issuer: origin,
    authorization_endpoint: at('authorize'),
    token_endpoint: at('token'),
    revocation_endpoint: at('revoke'),
    userinfo_endpoint: at('userinfo'),
    introspection_endpoint: at('introspect'),
    registration_endpoint: at('register'),
    jwks_uri: `${origin}/id/keys`,
    scopes_supported: ['api', 'full', 'id', 'openid', 'profile', 'email', 'refresh_token', 'web'],
    response_types_supported: ['code', 'token', 'token id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    display_values_supported: ['page', 'popup', 'touch'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic', 'private_key_jwt'],
  };
}
