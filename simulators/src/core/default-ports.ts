/** Default ports of the simulators on 127.0.0.1. */
export const DEFAULT_PORTS = { vendor: 4010, salesforce: 4020 } as const;
