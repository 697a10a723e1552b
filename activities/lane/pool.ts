/** The records that the activity of the lane (the workflow for many records) works on, and the slots (places) that they occupy. */
export class Pool {
  readonly #underWay = new Map<string, Promise<void>>();
  /** Keys of records that occupy a slot. A record whose sync is done but whose report to the CRM is not yet sent occupies none. */
  readonly #atWork = new Set<string>();
  /** Resolves when a slot is free, or work on a record has ended. */
  #moved = Promise.withResolvers<void>();
  /**
   * How many slots became free since the ledger (Lockstep's database) was last queried for further records. The next query waits until
   * enough slots are free.
   */
  #freed = 0;
  readonly #onPlace: (change: 1 | -1) => void;

  /** `onPlace` is called each time a slot is taken (1) or freed (-1). */
  constructor(onPlace: (change: 1 | -1) => void) {
    this.#onPlace = onPlace;
  }

  /** The number of occupied slots. */
  get atWork(): number {
    return this.#atWork.size;
  }

  get isEmpty(): boolean {
    return this.#underWay.size === 0;
  }

  /** Whether enough slots are free to query the ledger (Lockstep's database) for further records. The queries are thus few and large. */
  get isWorthFilling(): boolean {
    return this.#atWork.size === 0 || this.#freed >= this.#atWork.size / 8;
  }

  /** Resets the count of freed slots. Must be called whenever the ledger (Lockstep's database) is queried for further records. */
  resetFreed(): void {
    this.#freed = 0;
  }

  /** Starts work on a record. `work` must never reject. It may call `freePlace` to free the record's slot before the work ends. */
  begin(key: string, work: (freePlace: () => void) => Promise<void>): void {
    this.#atWork.add(key);
    this.#onPlace(1);
    this.#underWay.set(key, this.#run(key, work));
  }

  /** Resolves when a slot was freed or a record has ended since the last call. */
  async moved(): Promise<void> {
    await this.#moved.promise;
    this.#moved = Promise.withResolvers();
  }

  /** Resolves when no record is in work any more. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#underWay.values());
  }

  async #run(key: string, work: (freePlace: () => void) => Promise<void>): Promise<void> {
    try {
      await work(() => this.#freePlace(key));
    } finally {
      this.#freePlace(key);
      this.#underWay.delete(key);
      this.#moved.resolve();
    }
  }

  #freePlace(key: string): void {
    if (!this.#atWork.delete(key)) return;
    this.#freed += 1;
    this.#onPlace(-1);
    this.#moved.resolve();
  }
}
