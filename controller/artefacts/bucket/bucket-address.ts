/** A part of a bucket in a store that speaks the S3 API, and what opens it. Not to be logged or listed: it has a secret. */
export interface BucketAddress {
  /** Where requests go, with the bucket in its name or path, without a slash at the end. */
  url: string;
  /** For people: `s3://bucket/prefix at https://host`. */
  name: string;
  /** Before each key: empty, or ends with a slash. */
  prefix: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}
