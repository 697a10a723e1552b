import { listOf, objectOf } from './answers.ts';
import { crmError } from './classify.ts';
import { partOf, type SubAnswer, type SubRequest, subAnswer } from './composite.ts';
import { refusedReferences } from './references.ts';
import type { RestCall, Session } from './session.ts';

/**
 * The maximum number of composite graphs that Salesforce accepts in one request (REST guide, "Composite Graph Limits"). The graphs that
 * Lockstep sends stay far below the limits for nodes.
 */
export const MAX_GRAPHS = 75;

/** The answer to a composite graph: whether it was applied, and its nodes' answers in order. */
export type GraphAnswer = { readonly isApplied: boolean; readonly parts: readonly SubAnswer[] };

/**
 * Sends up to 75 composite graphs as one request, and returns their answers in order. Each graph is applied completely or not at all. After
 * 14 failed graphs, Salesforce starts no further ones. The answer of a failed graph has `isApplied` false, and the function does not throw.
 * It throws if the whole request failed. Before sending, it throws REFERENCE_IN_VALUE if a value looks like a reference to another
 * sub-request's answer (`@{…}`).
 */
export async function sendGraphs(
  session: Session,
  graphs: readonly (readonly SubRequest[])[],
  call: RestCall,
): Promise<readonly GraphAnswer[]> {
  if (graphs.length === 0) return [];
  const refused = refusedReferences(graphs.flat().map((node) => node.body));
  if (refused !== null) throw refused;
  const body = {
    graphs: graphs.map((nodes, place) => ({
      graphId: graphId(place),
      compositeRequest: nodes.map((node) => partOf(session, node)),
    })),
  };
  const answer = await session.request({ method: 'POST', path: '/composite/graph', body }, call);
  const answers = listOf(objectOf(answer.body)['graphs'], graphs.length).map(objectOf);
  return graphs.map((nodes, place) =>
    graphAnswer(
      nodes,
      answers.find((graph) => graph['graphId'] === graphId(place)),
    ),
  );
}

function graphId(place: number): string {
  return `graph${place}`;
}

function graphAnswer(nodes: readonly SubRequest[], graph: Readonly<Record<string, unknown>> | undefined): GraphAnswer {
  if (graph === undefined) throw crmError('transient', 'MALFORMED_ANSWER');
  const { isSuccessful, graphResponse } = graph;
  const isApplied = isSuccessful === true;
  const parts = listOf(objectOf(graphResponse)['compositeResponse']).map(objectOf);
  return {
    isApplied,
    parts: nodes.map(({ referenceId }) => {
      const part = parts.find((each) => each['referenceId'] === referenceId);
      // If a node of a failed graph has no answer, it failed only because another node failed.
      if (part === undefined && !isApplied) return { referenceId, status: 400, body: null, error: null };
      return subAnswer(part ?? {}, referenceId);
    }),
  };
}
