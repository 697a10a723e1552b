import type { Component, Failure } from './components.ts';

/** A judged deployment. */
export type Deployed = {
  readonly checkOnly: boolean;
  readonly components: readonly Component[];
  readonly failures: readonly Failure[];
};

/** An org's newest deployments by id. */
export type Deployments = Map<string, { readonly job: Deployed; readonly at: string }>;
