import type { Org } from '../org.ts';
import { failure } from '../store/failure.ts';
import { hasFailed, readSubRequest, runSubs, type SubRequest, stoppedBy } from './composite.ts';
import { parseDataUrl } from './data-url.ts';
import { type ApiAnswer, type ApiRequest, type Dispatch, listIn, objectBody, type Route } from './route.ts';

/** REST guide, "Composite Graph Limits". */
const MAX_GRAPHS = 75;
const MAX_NODES = 500;
const MAX_KINDS = 15;
const MAX_FAILED_GRAPHS = 14;
const GRAPH_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/;

type Graph = { readonly graphId: string; readonly nodes: readonly SubRequest[] };

/** Runs each graph all-or-none; after fourteen failed ones the rest are not begun. */
function handleGraphs(org: Org, request: ApiRequest, dispatch: Dispatch): ApiAnswer {
  const graphs = listIn(objectBody(request.body), 'graphs').map(readGraph);
  checkGraphs(graphs);
  let failed = 0;
  const answers = graphs.map(({ graphId, nodes }) => {
    const isLeftOut = failed >= MAX_FAILED_GRAPHS;
    const compositeResponse = isLeftOut
      ? nodes.map(({ referenceId }) => stoppedBy(referenceId))
      : runSubs(org, request, nodes, true, dispatch);
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
    throw failure(
      400,
      'INVALID_INPUT',
      'A graphId begins with a letter or digit and has 40 characters at most.',
    );
  }
  return { graphId, nodes: listIn(graph, 'compositeRequest').map(readSubRequest) };
}

function checkGraphs(graphs: readonly Graph[]): void {
  if (graphs.length > MAX_GRAPHS) {
    throw failure(400, 'LIMIT_EXCEEDED', `Limit reached. Cannot submit more than ${MAX_GRAPHS} graphs.`);
  }
  if (new Set(graphs.map(({ graphId }) => graphId)).size < graphs.length) {
    throw failure(400, 'INVALID_INPUT', 'Each graph needs a graphId of its own.');
  }
  const nodes = graphs.flatMap((graph) => graph.nodes);
  if (nodes.length > MAX_NODES) {
    throw failure(400, 'LIMIT_EXCEEDED', `Limit reached. Cannot submit more than ${MAX_NODES} nodes.`);
  }
  if (new Set(nodes.map(kindOf)).size > MAX_KINDS) {
    throw failure(
      400,
      'LIMIT_EXCEEDED',
      `Limit reached. Cannot submit more than ${MAX_KINDS} different nodes.`,
    );
  }
}

/** Nodes differ by version, method and object. Throws 400 for what is no row: graphs take those alone. */
function kindOf({ method, url }: SubRequest): string {
  const { version, path } = parseDataUrl(url);
  const type = /^\/sobjects\/([^/]+)/.exec(path)?.[1];
  if (type === undefined) throw failure(400, 'INVALID_INPUT', `A graph cannot hold the request ${path}.`);
  return `${version} ${method} ${type.toLowerCase()}`;
}

export const GRAPH_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    pattern: '/composite/graph',
    operation: 'composite.graph',
    handle: (org, request, _params, dispatch) => handleGraphs(org, request, dispatch),
  },
];
