/** Secrets Manager, read on first use and kept for the life of the process. */
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { clientOptions } from './client-options.ts'

/** Answers the secret's text; a failed read is tried again by the next call. */
export function openSecret(arn: string): () => Promise<string> {
  const client = new SecretsManagerClient(clientOptions(''))
  let known: string | undefined
  return async () => {
    known ??= (await client.send(new GetSecretValueCommand({ SecretId: arn }))).SecretString
    if (!known) throw new Error('The operator key secret holds no text')
    return known
  }
}
