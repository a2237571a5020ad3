/**
 * The description document: the fields of specification 1, and additional fields of published descriptions (marked "not
 * in the specification"). Undeclared fields are kept.
 */

/** A map from names to values, as parsed from JSON. Look up names as own properties only. */
export type NameMap<Value> = Readonly<Record<string, Value>>;

/** One version of one API. */
export interface DescriptionDocument {
  /** Always `discovery#restDescription`. */
  readonly kind: "discovery#restDescription";
  /** Version of the description format, `v1`. */
  readonly discoveryVersion?: string;
  /** Id of the API: `<name>:<version>`. Two documents of a directory may have the same id. */
  readonly id?: string;
  readonly name: string;
  /** Human-readable name. */
  readonly canonicalName?: string;
  /** Version of the API, for example `v1`. */
  readonly version: string;
  /** Revision, usually a date as `yyyymmdd`. Two different documents may have the same revision. */
  readonly revision?: string;
  readonly title?: string;
  readonly description?: string;
  readonly icons?: { readonly x16?: string; readonly x32?: string };
  readonly documentationLink?: string;
  /** Labels: `limited_availability` and `deprecated` in the specification; published descriptions have others. */
  readonly labels?: readonly string[];
  /** Protocol, `rest`. */
  readonly protocol?: string;
  /** @deprecated by the specification; rootUrl + servicePath */
  readonly baseUrl?: string;
  /** @deprecated by the specification */
  readonly basePath?: string;
  /** Root of all addresses; ends with `/`. */
  readonly rootUrl?: string;
  /** Path between rootUrl and a method's path; empty or ending with `/`. */
  readonly servicePath?: string;
  /**
   * Path of batches, relative to rootUrl. `batch` in the specification; published descriptions also have
   * `batch/compute/v1` and others.
   */
  readonly batchPath?: string;
  /** Location-based endpoints. A location may appear twice. */
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
  /**
   * Whether `{+x}` encodes all characters except `/` and unreserved characters. Not in the specification.
   *
   * @default false
   */
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
  /** Declared in the service's description of itself, but not used in any description. Not in the specification. */
  readonly exponentialBackoffDefault?: boolean;
}

/** A regional endpoint of an API. */
export interface EndpointDocument {
  readonly endpointUrl?: string;
  readonly location?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
}

/** A schema, a property, a parameter of a method or a parameter of an API. */
export interface SchemaDocument {
  readonly id?: string;
  /** Type of JSON Schema, or `any`. */
  readonly type?: string;
  /** Id of another schema, instead of `type`. */
  readonly $ref?: string;
  readonly description?: string;
  /** Default value, for documentation only. It is never sent or checked. */
  readonly default?: string;
  /** Whether the parameter is required; parameters only. */
  readonly required?: boolean;
  /** @default false */
  readonly deprecated?: boolean;
  /** Restricts `type`, for example `int64`, `google-datetime`. */
  readonly format?: string;
  /** Pattern in RE2 syntax. The whole value must match, even if the pattern has no anchors. */
  readonly pattern?: string;
  /** Minimum, a number as text. */
  readonly minimum?: string;
  /** Maximum, a number as text. */
  readonly maximum?: string;
  readonly enum?: readonly string[];
  /** Descriptions of the enum values, by position in `enum`. */
  readonly enumDescriptions?: readonly string[];
  /** Whether each enum value is deprecated, by position in `enum`. */
  readonly enumDeprecated?: readonly boolean[];
  /** Whether a parameter may appear several times. @default false */
  readonly repeated?: boolean;
  /** `query` or `path`; parameters only. */
  readonly location?: string;
  readonly properties?: NameMap<SchemaDocument>;
  /** Schema of properties with dynamic names. */
  readonly additionalProperties?: SchemaDocument;
  readonly items?: SchemaDocument;
  /** Ids of the methods whose requests must have the property. */
  readonly annotations?: { readonly required?: readonly string[] };
  /** Whether only the service sets the property. Not in the specification. @default false */
  readonly readOnly?: boolean;
  /** Declared in the service's description of itself, but not used in any description. Not in the specification. */
  readonly variant?: unknown;
}

/** A method of an API. */
export interface MethodDocument {
  readonly id?: string;
  /** Path relative to rootUrl + servicePath. `{x}` fills one segment, `{+x}` several segments. */
  readonly path?: string;
  /** Path without `{+x}`, which shows the shape of the URL. Its variables are not parameters. */
  readonly flatPath?: string;
  readonly httpMethod?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly parameters?: NameMap<SchemaDocument>;
  /** Required parameters, most important first. */
  readonly parameterOrder?: readonly string[];
  /** Schema of the request: `$ref` in the specification; published descriptions also have inline schemas. */
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
  /** Declared in the service's description of itself, but not used in any description. Not in the specification. */
  readonly etagRequired?: boolean;
}

/** The media that a method accepts. */
export interface MediaUploadDocument {
  /** Media ranges, for example `image/*`. */
  readonly accept?: readonly string[];
  /** Maximum size: a number of bytes, or a number with a unit, for example `10GB`. */
  readonly maxSize?: string;
  readonly protocols?: {
    readonly simple?: UploadProtocolDocument;
    readonly resumable?: UploadProtocolDocument;
  };
}

/** A protocol for uploads. */
export interface UploadProtocolDocument {
  /** Whether one multipart/related body may contain both metadata and media. */
  readonly multipart?: boolean;
  /** Path relative to rootUrl; begins with `/` in published descriptions. */
  readonly path?: string;
}

/** A resource of an API, with its methods and resources. */
export interface ResourceDocument {
  readonly methods?: NameMap<MethodDocument>;
  readonly deprecated?: boolean;
  readonly resources?: NameMap<ResourceDocument>;
}

/**
 * One entry of `apis.list`. The specification shows none of its fields; these are the fields that the service sends.
 */
export interface DirectoryItem {
  readonly kind?: "discovery#directoryItem";
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly description?: string;
  /** URL of the description. */
  readonly discoveryRestUrl: string;
  readonly discoveryLink?: string;
  readonly icons?: { readonly x16?: string; readonly x32?: string };
  readonly documentationLink?: string;
  readonly labels?: readonly string[];
  /** Whether this is the recommended version among the versions of its name. */
  readonly preferred?: boolean;
}

/** A directory of descriptions. */
export interface DirectoryList {
  readonly kind: "discovery#directoryList";
  readonly discoveryVersion?: string;
  readonly items: readonly DirectoryItem[];
}
