/**
 * The description document as it is written: specification 1, field by field, plus the fields that published descriptions have beyond
 * it (marked "not in the specification"). Everything is optional except what {@link parseDocument} insists on, and fields that
 * nobody declared are kept.
 */

/** A map from names to values, as it comes from JSON. Look names up as own properties only. */
export type NameMap<Value> = Readonly<Record<string, Value>>;

/** One version of one API. */
export interface DescriptionDocument {
  /** Always `discovery#restDescription`. */
  readonly kind: "discovery#restDescription";
  /** Version of the description format, `v1`. */
  readonly discoveryVersion?: string;
  /** `<name>:<version>`. Two documents of a directory may carry the same. */
  readonly id?: string;
  readonly name: string;
  /** Human-readable name. */
  readonly canonicalName?: string;
  /** Version of the API, such as `v1`. */
  readonly version: string;
  /** Mostly a date as `yyyymmdd`; two different documents may carry the same. */
  readonly revision?: string;
  readonly title?: string;
  readonly description?: string;
  readonly icons?: { readonly x16?: string; readonly x32?: string };
  readonly documentationLink?: string;
  /** `limited_availability` and `deprecated` by the specification; others occur. */
  readonly labels?: readonly string[];
  /** `rest`. */
  readonly protocol?: string;
  /** @deprecated by the specification; rootUrl + servicePath */
  readonly baseUrl?: string;
  /** @deprecated by the specification */
  readonly basePath?: string;
  /** Root of all addresses; ends with `/`. */
  readonly rootUrl?: string;
  /** Between rootUrl and a method's path; empty or ending with `/`. */
  readonly servicePath?: string;
  /** Where batches go, relative to rootUrl. `batch` by the specification; `batch/compute/v1` and others occur. */
  readonly batchPath?: string;
  /** Location-based endpoints; a location may occur twice. */
  readonly endpoints?: readonly EndpointDocument[];
  /** Parameters of every method. */
  readonly parameters?: NameMap<SchemaDocument>;
  readonly auth?: { readonly oauth2?: { readonly scopes?: NameMap<{ readonly description?: string }> } };
  readonly features?: readonly string[];
  readonly schemas?: NameMap<SchemaDocument>;
  /** Methods of the API itself, outside any resource. */
  readonly methods?: NameMap<MethodDocument>;
  readonly resources?: NameMap<ResourceDocument>;

  /** Root for clients with mutual TLS. Not in the specification. */
  readonly mtlsRootUrl?: string;
  /** Whether `{+x}` encodes all but `/` and unreserved characters. Not in the specification. @default false */
  readonly fullyEncodeReservedExpansion?: boolean;
  /** Not in the specification. */
  readonly version_module?: boolean;
  /** Not in the specification. */
  readonly ownerDomain?: string;
  /** Not in the specification. */
  readonly ownerName?: string;
  /** Not in the specification. */
  readonly packagePath?: string;
  /** Not in the specification. */
  readonly etag?: string;
  /** Not in the specification. */
  readonly serviceVersion?: string;
  /** Declared by the service's description of itself, never seen. Not in the specification. */
  readonly exponentialBackoffDefault?: boolean;
}

export interface EndpointDocument {
  readonly endpointUrl?: string;
  readonly location?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
}

/** A schema, a property, a method's parameter or an API's parameter. */
export interface SchemaDocument {
  readonly id?: string;
  /** JSON Schema's type, or `any`. */
  readonly type?: string;
  /** Id of another schema; stands in place of `type`. */
  readonly $ref?: string;
  readonly description?: string;
  /** Documentation only: never sent for the caller, never checked. */
  readonly default?: string;
  /** Parameters only. */
  readonly required?: boolean;
  /** @default false */
  readonly deprecated?: boolean;
  /** Narrows `type`, as in `int64`, `google-datetime`. */
  readonly format?: string;
  /** RE2 syntax; the whole value has to match, anchored or not. */
  readonly pattern?: string;
  /** A number as text. */
  readonly minimum?: string;
  /** A number as text. */
  readonly maximum?: string;
  readonly enum?: readonly string[];
  /** By position in `enum`. */
  readonly enumDescriptions?: readonly string[];
  /** By position in `enum`. */
  readonly enumDeprecated?: readonly boolean[];
  /** Whether a parameter may occur several times. @default false */
  readonly repeated?: boolean;
  /** `query` or `path`; parameters only. */
  readonly location?: string;
  readonly properties?: NameMap<SchemaDocument>;
  /** Of properties with dynamic names. */
  readonly additionalProperties?: SchemaDocument;
  readonly items?: SchemaDocument;
  /** Ids of the methods in whose requests the property has to be there. */
  readonly annotations?: { readonly required?: readonly string[] };
  /** Only the service sets it. Not in the specification. @default false */
  readonly readOnly?: boolean;
  /** Declared by the service's description of itself, never seen. Not in the specification. */
  readonly variant?: unknown;
}

export interface MethodDocument {
  readonly id?: string;
  /** Relative to rootUrl + servicePath; `{x}` fills one segment, `{+x}` several. */
  readonly path?: string;
  /** The path without `{+x}`: tells the shape of the URL; its variables are no parameters. */
  readonly flatPath?: string;
  readonly httpMethod?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly parameters?: NameMap<SchemaDocument>;
  /** Required parameters, most important first. */
  readonly parameterOrder?: readonly string[];
  /** `$ref` by the specification; a schema in place occurs. */
  readonly request?: SchemaDocument & { readonly parameterName?: string };
  readonly response?: SchemaDocument;
  readonly scopes?: readonly string[];
  readonly supportsMediaDownload?: boolean;
  readonly supportsMediaUpload?: boolean;
  readonly mediaUpload?: MediaUploadDocument;
  readonly supportsSubscription?: boolean;

  /** Sent as `X-Goog-Api-Version`. Not in the specification. */
  readonly apiVersion?: string;
  /** Not in the specification. */
  readonly useMediaDownloadService?: boolean;
  /** Declared by the service's description of itself, never seen. Not in the specification. */
  readonly etagRequired?: boolean;
}

export interface MediaUploadDocument {
  /** Media ranges, such as `image/*`. */
  readonly accept?: readonly string[];
  /** A number of bytes, or a number with a unit such as `10GB`. */
  readonly maxSize?: string;
  readonly protocols?: {
    readonly simple?: UploadProtocolDocument;
    readonly resumable?: UploadProtocolDocument;
  };
}

export interface UploadProtocolDocument {
  /** Whether metadata and media may come in one multipart/related body. */
  readonly multipart?: boolean;
  /** Relative to rootUrl; begins with `/` in published descriptions. */
  readonly path?: string;
}

export interface ResourceDocument {
  readonly methods?: NameMap<MethodDocument>;
  readonly deprecated?: boolean;
  readonly resources?: NameMap<ResourceDocument>;
}

/** One entry of `apis.list`. The specification shows none of its fields; these are what the service sends. */
export interface DirectoryItem {
  readonly kind?: "discovery#directoryItem";
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly description?: string;
  /** Where the description is fetched. */
  readonly discoveryRestUrl: string;
  readonly discoveryLink?: string;
  readonly icons?: { readonly x16?: string; readonly x32?: string };
  readonly documentationLink?: string;
  readonly labels?: readonly string[];
  /** Whether it is the version to use, among those of its name. */
  readonly preferred?: boolean;
}

export interface DirectoryList {
  readonly kind: "discovery#directoryList";
  readonly discoveryVersion?: string;
  readonly items: readonly DirectoryItem[];
}
