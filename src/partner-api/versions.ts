import { type DeprecatedUse, reportDeprecated } from './deprecation.ts';
import type { Endpoint } from './request.ts';
import type { CallOptions, Result } from './result.ts';

/** A version in the paths of the vendor's API (sales spec 9, order spec 9). */
export type ApiVersion = 'v0' | 'v1';

/** Options of a call of v1, which is the default. */
export interface CurrentCallOptions extends CallOptions {
  readonly apiVersion?: 'v1' | undefined;
}

/** Options of a call of v0, which the vendor will remove. */
export interface DeprecatedCallOptions extends CallOptions {
  readonly apiVersion: 'v0';
}

export interface VersionedCallOptions extends CallOptions {
  readonly apiVersion?: ApiVersion | undefined;
}

/** An operation that exists in version 1, the default, and in version 0, which is deprecated. */
export interface VersionedOperation<Input, Data> {
  (input: Input, options?: CurrentCallOptions): Promise<Result<Data>>;
  /** @deprecated The vendor will remove v0; leave `apiVersion` out to use v1. */
  (input: Input, options: DeprecatedCallOptions): Promise<Result<Data>>;
  /** A call whose API version is known only at run time. */
  (input: Input, options?: VersionedCallOptions): Promise<Result<Data>>;
}

export type VersionedEndpoint = Readonly<Record<ApiVersion, Endpoint>>;

/** Makes the endpoints of both versions of an operation. `path`: the part of the path after the version. */
export function versionedEndpoint(
  operation: string,
  domain: Endpoint['domain'],
  method: Endpoint['method'],
  path: string,
): VersionedEndpoint {
  const at = (version: ApiVersion): Endpoint => ({
    operation,
    domain,
    method,
    template: `/${domain}/api4partners/${version}${path}`,
  });
  return { v0: at('v0'), v1: at('v1') };
}

/** Picks the endpoint for the API version of a call. If the version is deprecated, reports this once per operation and process. */
export function pickVersion(
  versions: VersionedEndpoint,
  options: VersionedCallOptions | undefined,
  onDeprecated: (use: DeprecatedUse) => void,
): Endpoint {
  if (options?.apiVersion !== 'v0') return versions.v1;
  const { operation, template } = versions.v0;
  reportDeprecated({ operation, template, replacement: versions.v1.template }, onDeprecated);
  return versions.v0;
}
