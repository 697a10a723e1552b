/** How much of one route of the vendor's documents the simulator covers. */
export type CoverageRow = {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly operation: string;
  readonly status: 'supported' | 'partial';
  /** Sections of the vendor's documents that the route follows. */
  readonly spec: string;
  /** Points that the documents leave open, and the simulator's choice. */
  readonly notes: string;
};
