# Addresses of generated resources end with a digest and contain hyphens. Another address would be another resource.
plugin "terraform" {
  enabled = true
  preset  = "all"
}

rule "terraform_naming_convention" {
  enabled = true
  custom  = "^[a-z][a-z0-9_-]*(_[0-9A-F]{8})?$"
}

# A root module of a page fits into one file, and a generated module is one file.
rule "terraform_standard_module_structure" {
  enabled = false
}
