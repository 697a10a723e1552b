/** Where the simulators listen on 127.0.0.1 unless a flag says otherwise. */
export const DEFAULT_PORTS = { vendor: 4010, salesforce: 4020 } as const;
