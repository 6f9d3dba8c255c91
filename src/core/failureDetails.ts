/** What the product itself says beside a failure's reason, as it is shown in parentheses: translated where it is shown. */
export const failureDetails = [
  'connection refused',
  'connection broken',
  'host name not found',
  'no answer to the connection attempt',
  'no route to the host',
  'no route to the network',
  'no secure connection',
  'no connection',
  'certificate not trusted',
  'the answer is not HTTP',
  'the answer could not be decompressed',
  'the answer broke off',
  'the answer is not UTF-8 text',
  'the answer is empty',
  'the answer is not JSON',
  'the answer is no table',
  'the answer is too large for a table',
] as const;
export type FailureDetail = (typeof failureDetails)[number];
