/** What every SDK client is opened with: AWS itself, or an emulator's endpoint with the emulators' credentials. */

// s3rver knows this one pair; the other emulators take any.
const emulatorCredentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }

export const clientOptions = (endpoint: string) => ({
  // A request that hangs must fail while the caller still waits: the gateway gives up after 29 s.
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 8_000 },
  ...(endpoint && { endpoint, region: 'us-east-1', credentials: emulatorCredentials }),
})
