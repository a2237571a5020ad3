// The properties of the fast tests, over two thousand random specs each.
process.env.PROPERTY_RUNS = "2000";
require("./properties.test");
