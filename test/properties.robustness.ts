// Runs the properties of the fast tests with many more random inputs.
process.env.PROPERTY_FACTOR = "10";

require("./discovery/compare/pattern-relation.test");
require("./discovery/patterns/pattern.test");
require("./discovery/round-trip.test");
require("./discovery/service/service-answers.test");
require("./hostnames/coverage.test");
require("./hostnames/hostname.test");
require("./plan/document/parse.test");
require("./terraform-provider/planning/stability.test");
require("./terraform-provider/protocol/msgpack.test");
