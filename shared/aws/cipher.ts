/** Keeps small secrets (account credentials) unreadable at rest: KMS on AWS, AES-256-GCM with a local key elsewhere. */
import { createCipheriv, createDecipheriv } from 'node:crypto'
import { DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms'
import { clientOptions } from './client-options.ts'

export interface Cipher {
  /** Seals up to 4,096 bytes of text, which is what KMS takes; it opens only for the same subject, so a sealed text cannot be moved to another item. */
  seal(text: string, subject: string): Promise<Uint8Array>
  open(sealed: Uint8Array, subject: string): Promise<string>
}

export function openKmsCipher(keyId: string): Cipher {
  const client = new KMSClient(clientOptions(''))
  return {
    async seal(text, subject) {
      const { CiphertextBlob } = await client.send(
        new EncryptCommand({ KeyId: keyId, Plaintext: Buffer.from(text), EncryptionContext: { subject } }),
      )
      if (!CiphertextBlob) throw new Error('KMS answered without a ciphertext')
      return CiphertextBlob
    },
    async open(sealed, subject) {
      const { Plaintext } = await client.send(
        new DecryptCommand({ KeyId: keyId, CiphertextBlob: sealed, EncryptionContext: { subject } }),
      )
      if (!Plaintext) throw new Error('KMS answered without a plaintext')
      return Buffer.from(Plaintext).toString()
    },
  }
}

const nonceLength = 12
const tagLength = 16

/** `key` is 32 bytes in base64; `randomBytes` gives a fresh nonce for each text. */
export function openLocalCipher(key: string, randomBytes: (count: number) => Uint8Array): Cipher {
  const secret = Buffer.from(key, 'base64')
  return {
    async seal(text, subject) {
      const nonce = randomBytes(nonceLength)
      const cipher = createCipheriv('aes-256-gcm', secret, nonce).setAAD(Buffer.from(subject))
      return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    },
    async open(sealed, subject) {
      const decipher = createDecipheriv('aes-256-gcm', secret, sealed.subarray(0, nonceLength))
        .setAAD(Buffer.from(subject))
        .setAuthTag(sealed.subarray(sealed.length - tagLength))
      return Buffer.concat([
        decipher.update(sealed.subarray(nonceLength, sealed.length - tagLength)),
        decipher.final(),
      ]).toString()
    },
  }
}
