# cert-migration with Node and Terraform, for pipelines and for the run task of HCP Terraform.
#   npm run build && npm pack
#   docker build --tag cert-migration .
FROM hashicorp/terraform:1.11.4 AS terraform

FROM node:24.11-bookworm-slim
COPY --from=terraform /bin/terraform /usr/local/bin/terraform
COPY cdktf-google-cert-migration-*.tgz /tmp/package.tgz
RUN npm install --global --omit=dev --ignore-scripts /tmp/package.tgz \
  && npm cache clean --force
# The user "node" of the image.
USER 1000
WORKDIR /workspace
ENTRYPOINT ["cert-migration"]
