import type { Org } from '../org.ts';
import { failure, notFound } from '../store/failure.ts';
import { hasFailed, readSubRequest, runSubs, type SubRequest, stoppedBy } from './composite.ts';
import { parseDataUrl } from './data-url.ts';
import { referencesIn } from './references.ts';
import { type ApiAnswer, type ApiRequest, type Dispatch, listIn, objectBody, type Route } from './route.ts';

/** The first API version with graphs: "This resource is available in REST API version 50.0 and later" (REST guide, "Composite Graph"). */
const FIRST_VERSION = 50;
/** Limits of a request of graphs (REST guide, "Composite Graph Limits"). */
const MAX_GRAPHS = 75;
const MAX_NODES = 500;
const MAX_KINDS = 15;
const MAX_DEPTH = 15;
const MAX_FAILED_GRAPHS = 14;
const GRAPH_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/;

type Graph = { readonly graphId: string; readonly nodes: readonly SubRequest[] };

/**
 * Runs each graph all-or-none; after more than fourteen failed graphs, no further graph starts. Headers of nodes, such as conditions, count
 * only if the org is set so, because the guide's newest editions list none.
 */
function handleGraphs(org: Org, request: ApiRequest, dispatch: Dispatch): ApiAnswer {
  if (request.version < FIRST_VERSION) throw notFound();
  const graphs = listIn(objectBody(request.body), 'graphs').map(readGraph);
  checkGraphs(graphs);
  const { takesHeaders } = org.nodes;
  let failed = 0;
  const answers = graphs.map(({ graphId, nodes }) => {
    const isLeftOut = failed > MAX_FAILED_GRAPHS;
    const subs = takesHeaders ? nodes : nodes.map((node) => ({ ...node, headers: {} }));
    const compositeResponse = isLeftOut
      ? nodes.map(({ referenceId }) => stoppedBy(referenceId))
      : runSubs(org, request, subs, true, dispatch);
    const isSuccessful = !compositeResponse.some(hasFailed);
    if (!isSuccessful) failed += 1;
    return { graphId, graphResponse: { compositeResponse }, isSuccessful };
  });
  return { status: 200, body: { graphs: answers } };
}

function readGraph(input: unknown): Graph {
  const graph = objectBody(input);
  const { graphId } = graph;
  if (typeof graphId !== 'string' || !GRAPH_ID.test(graphId)) {
    throw failure(400, 'INVALID_INPUT', 'A graphId begins with a letter or digit and has 40 characters at most.');
  }
  return { graphId, nodes: listIn(graph, 'compositeRequest').map(readSubRequest) };
}

function checkGraphs(graphs: readonly Graph[]): void {
  const nodes = graphs.flatMap((graph) => graph.nodes);
  limited(graphs.length, MAX_GRAPHS, 'graphs');
  limited(nodes.length, MAX_NODES, 'nodes');
  limited(new Set(nodes.map(kindOf)).size, MAX_KINDS, 'different nodes');
  limited(Math.max(0, ...graphs.map(depthOf)), MAX_DEPTH, 'nodes one below another');
  if (new Set(graphs.map(({ graphId }) => graphId)).size < graphs.length)
    throw failure(400, 'INVALID_INPUT', 'Each graph needs a graphId of its own.');
  for (const graph of graphs) {
    const names = new Set(graph.nodes.map(({ referenceId }) => referenceId));
    if (names.size < graph.nodes.length)
      throw failure(400, 'INVALID_INPUT', 'Each node of a graph needs a referenceId of its own.');
  }
}

/** Throws 400 if a limit is exceeded. The error's code and wording are assumed. */
function limited(count: number, most: number, what: string): void {
  if (count > most) throw failure(400, 'LIMIT_EXCEEDED', `Limit reached. Cannot submit more than ${most} ${what}.`);
}

/** The methods that a node may use, by the number of segments after `sobjects` (REST guide, "Using Composite Graphs"). */
const METHODS: Readonly<Record<number, readonly string[]>> = {
  1: ['POST'],
  2: ['GET', 'PATCH', 'DELETE'],
  3: ['GET', 'PATCH', 'POST', 'DELETE'],
};
/** Path segments where an id could be, but that are no ids. */
const NO_ID = /^(describe|listviews|updated|deleted)$/i;

/** The kind of a node: its version, method and object. Throws 400 for a node that is no record, because graphs accept only records. */
function kindOf({ method, url }: SubRequest): string {
  const { version, path } = parseDataUrl(url);
  const [sobjects, type = '', ...rest] = path.split('/').filter(Boolean);
  const isRow = sobjects?.toLowerCase() === 'sobjects' && !NO_ID.test(rest[0] ?? '');
  if (!isRow || METHODS[rest.length + 1]?.includes(method) !== true)
    throw failure(400, 'INVALID_INPUT', `A graph cannot hold the request ${method} ${path}.`);
  return `${version} ${method} ${type.toLowerCase()}`;
}

/** Nodes in the longest chain of references. */
function depthOf({ nodes }: Graph): number {
  const depths = new Map<string, number>();
  for (const { referenceId, url, body } of nodes) {
    const above = referencesIn({ url, body }).map((name) => depths.get(name) ?? 0);
    depths.set(referenceId, 1 + Math.max(0, ...above));
  }
  return Math.max(0, ...depths.values());
}

export const GRAPH_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    pattern: '/composite/graph',
    operation: 'composite.graph',
    handle: (org, request, _params, dispatch) => handleGraphs(org, request, dispatch),
  },
];
