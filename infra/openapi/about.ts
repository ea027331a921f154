/** What the description says of the service as a whole, and of its parts. */
import type { FunctionName } from '../functions.ts'

export const about = {
  title: 'Posthaste',
  summary: 'Social publishing in your own AWS account, behind one REST API.',
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  description: `
Create posts, plan them into recurring slots, upload media, and publish to every connected account.

## Authentication
Send your API key with every request: \`Authorization: Bearer <API_KEY>\`. A key belongs to a user or to a workspace, and sees
what that owner owns. Endpoints below \`/admin\` take the deployment's operator key instead. \`GET /status\` tells whether a key works.

## Answers
Success is \`{"success": true, "data": …}\`, failure is \`{"success": false, "message": …}\`. Failures also carry a stable \`code\`,
\`errors\` with one entry for each field that was not acceptable, and \`request_id\`, which every answer has as \`x-request-id\` too.
An unknown path is 404 \`Not found\`; a known one with another method is 405 \`Method not allowed\`, and \`Allow\` names its methods.

## Lists
Lists come in pages: \`limit\` items (20 if absent, at most 100), and while \`has_more\` is true, \`next_cursor\` is the \`cursor\` of the next
request. Items are ordered by creation, newest first; socials by display name. \`total\` counts all that the caller owns, filters aside.

## Times
Datetimes come out as ISO 8601 in UTC with milliseconds. Datetimes going in need \`Z\` or an offset.
`.trim(),
}

export const servers = [
  { url: '/', description: 'The deployment that serves this description.' },
  { url: 'http://127.0.0.1:4000', description: '`npm start` on your own machine.' },
]

export const securitySchemes = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'An owner’s API key: `ph_…`.' },
  operatorKey: { type: 'http', scheme: 'bearer', description: 'The operator key of the deployment.' },
}

/** By door: the heading of its endpoints. */
export const groups: Partial<Record<FunctionName | (string & {}), { name: string; description: string }>> = {
  service: { name: 'Service', description: 'Is the service up, is the key valid, and what can it do?' },
  posts: {
    name: 'Posts',
    description: 'What goes out: drafts, scheduled posts, and what became of them on each account.',
  },
  plan: {
    name: 'Plan',
    description: 'Recurring slots, and the assignment of drafts to their next free occurrence.',
  },
  labels: { name: 'Labels', description: 'Classify posts, and decide which slots a post may use.' },
  media: {
    name: 'Media',
    description: 'Uploads in three steps, and the library of images, GIFs and videos that posts refer to.',
  },
  socials: {
    name: 'Socials',
    description: 'The connected accounts that posts go out to. Read-only: the application connects them.',
  },
  analytics: { name: 'Analytics', description: 'How posts and accounts do on their networks.' },
  admin: {
    name: 'Admin',
    description: 'The application’s side: owners, their API keys and accounts. Takes the operator key.',
  },
}

export const headers = {
  RequestId: {
    description: 'Names the request, in the answer and in the log.',
    schema: { type: 'string' },
    example: 'JKJaXmPLvHcESHA=',
  },
  Challenge: { description: 'How to authenticate.', schema: { type: 'string', const: 'Bearer' } },
}

/** What every refusal looks like. */
export const failures = {
  Failure: {
    type: 'object',
    required: ['success', 'message'],
    properties: {
      success: { type: 'boolean', const: false },
      message: { type: 'string', description: 'In words, for people.' },
      code: { type: 'string', description: 'Stable, for programs: SNAKE_CASE.' },
      errors: {
        type: 'array',
        description: 'Each field that was not acceptable; `message` is the first one’s.',
        items: {
          type: 'object',
          required: ['field', 'message'],
          properties: { field: { type: 'string' }, message: { type: 'string' } },
        },
      },
      request_id: { type: 'string', description: 'The same as `x-request-id`.' },
    },
  },
  Throttled: {
    type: 'object',
    required: ['message'],
    properties: { message: { type: 'string' } },
  },
}
