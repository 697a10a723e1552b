/** Names of the parts of a change; each sample of a CPU profile belongs to one. */
export const PARTS = [
  'decision',
  'sealing',
  'JSON',
  'checks of shape (zod)',
  "PostgreSQL's client",
  "Salesforce's client",
  "the vendor's client",
  'HTTP',
  "Temporal's client",
  "the workflows' sandbox",
  'workflows',
  'activities',
  'logs and metrics',
  'collecting garbage',
  'all else of Node',
] as const;
export type Part = (typeof PARTS)[number];

/** The part of a V8 CPU profile that is read here. `timeDeltas`: microseconds, one per sample. */
export type CpuProfile = {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
};
export type ProfileNode = {
  readonly id: number;
  readonly callFrame: Frame;
  readonly children?: readonly number[];
};
type Frame = { readonly functionName: string; readonly url: string };

/** Parts by npm package. */
const PACKAGES: readonly (readonly [name: RegExp, part: Part])[] = [
  [/^zod$/, 'checks of shape (zod)'],
  [/^(pg|pg-.*|postgres-.*|kysely)$/, "PostgreSQL's client"],
  [/^jsforce$/, "Salesforce's client"],
  [/^(undici|@hono\/.*|hono)$/, 'HTTP'],
  [/^(@temporalio\/.*|@protobufjs\/.*|protobufjs|@grpc\/.*|long)$/, "Temporal's client"],
  [/^(pino|sonic-boom|prom-client|@opentelemetry\/.*)$/, 'logs and metrics'],
];

/** The workflow sandbox: each call into it is a `runInContext` of V8 with a time limit. */
const SANDBOX = /\/@temporalio\/(worker\/lib\/workflow|workflow)\//;

/** Parts by file of the project; the first match wins. */
const FILES: readonly (readonly [path: RegExp, part: Part])[] = [
  [/\/src\/domain\//, 'decision'],
  [/\/src\/(platform\/seal|ledger\/(seal|data-keys))/, 'sealing'],
  [/\/src\/ledger\//, "PostgreSQL's client"],
  [/\/src\/salesforce\//, "Salesforce's client"],
  [/\/src\/partner-api\//, "the vendor's client"],
  [/\/src\/(tracing|platform\/log|worker\/work-counters)/, 'logs and metrics'],
  [/(^|\/)workflow-(bundle|isolate)[^/]*$|\/workflows\//, 'workflows'],
  [/\/(activities|src\/(observe|mirror|intake|operator|worker|platform|webhooks))\//, 'activities'],
];

/** Node modules with a part of their own; time in other Node modules belongs to their caller. */
const NODE: readonly (readonly [module: RegExp, part: Part])[] = [
  [/^node:internal\/crypto\/(cipher|keys)$/, 'sealing'],
  [/^node:(_http|internal\/deps\/undici|internal\/http)/, 'HTTP'],
];

/** Parts of V8's built-in functions, which have no file. */
const BUILT_IN: Readonly<Record<string, Part>> = {
  parse: 'JSON',
  stringify: 'JSON',
  '(garbage collector)': 'collecting garbage',
};

/** Functions that the SDK's native part calls. */
const NATIVE = /^temporal_sdk_/;

/** The frame of an idle thread. */
const IDLE = '(idle)';

/**
 * Microseconds that a thread spent on each part, and on none. A sample belongs to the innermost frame that has a part. Time in Node belongs
 * to its caller, except for JSON parsing, which is a part of its own.
 */
export function timeByPart(profile: CpuProfile): {
  readonly parts: Readonly<Record<Part, number>>;
  readonly idle: number;
} {
  const parents = new Map(profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const known = new Map<number, Part>();
  const partAt = (id: number | undefined): Part => {
    const frame = id === undefined ? undefined : nodes.get(id)?.callFrame;
    if (id === undefined || frame === undefined) return 'all else of Node';
    const part = known.get(id) ?? partOf(frame) ?? partAt(parents.get(id));
    known.set(id, part);
    return part;
  };
  const parts = Object.fromEntries(PARTS.map((part) => [part, 0])) as Record<Part, number>;
  let idle = 0;
  for (const [index, id] of profile.samples.entries()) {
    const us = profile.timeDeltas[index] ?? 0;
    if (nodes.get(id)?.callFrame.functionName === IDLE) idle += us;
    else parts[partAt(id)] += us;
  }
  return { parts, idle };
}

/** The part of a frame; null if the caller decides. */
export function partOf({ functionName, url }: Frame): Part | null {
  if (url === '') return NATIVE.test(functionName) ? "Temporal's client" : (BUILT_IN[functionName] ?? null);
  if (SANDBOX.test(url)) return "the workflows' sandbox";
  if (url.startsWith('node:')) return firstOf(NODE, url);
  const inside = url.lastIndexOf('/node_modules/');
  if (inside === -1) return firstOf(FILES, url);
  const [scope = '', name = ''] = url.slice(inside + '/node_modules/'.length).split('/');
  return firstOf(PACKAGES, scope.startsWith('@') ? `${scope}/${name}` : scope);
}

function firstOf(rules: readonly (readonly [RegExp, Part])[], text: string): Part | null {
  return rules.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}
