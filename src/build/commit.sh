# `sh commit.sh FOLDER`: prints the commit of the checkout, abbreviated, with "-dirty" where what a build is made of was changed since.
# Nothing for an archive or an image: they have no repository, and one around the folder is another's.
cd "$1" && [ -e .git ] || exit 0
# Git says nothing where there is no commit yet, or where the folder belongs to somebody else.
commit=$(git rev-parse --short=7 HEAD 2> /dev/null) || exit 0
changed=$(git status --porcelain -- src spec package.json package-lock.json tspconfig.yaml)
echo "$commit${changed:+-dirty}"
