// Runs Lucene's own analyzers over lines, and its own search over documents; the tests compare what it prints.
//
// Arguments, three for each run: a folder with the files that filters name; a file that describes the analyzer; a file
// of lines. The description's lines: NAME, then settings KEY=VALUE, with tabs between; the first is the tokenizer, and
// a line "query" begins a second analyzer, for queries. With it the lines are documents, up to a line "queries", and
// then queries: for each it prints the numbers of the documents that are found. Without it prints for each line its
// tokens: text, position increment, first place and place after the last. A line "end" closes each run.

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.custom.CustomAnalyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.util.QueryBuilder;

public class Analyze {
    public static void main(String[] arguments) throws Exception {
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        for (int i = 0; i < arguments.length; i += 3) {
            List<String> description = Files.readAllLines(Path.of(arguments[i + 1]));
            List<String> lines = Files.readAllLines(Path.of(arguments[i + 2]));
            int query = description.indexOf("query");
            Path folder = Path.of(arguments[i]);
            if (query < 0) {
                tokens(analyzer(folder, description), lines, out);
            } else {
                search(analyzer(folder, description.subList(0, query)),
                       analyzer(folder, description.subList(query + 1, description.size())), lines, out);
            }
            out.println("end");
        }
        out.flush();
    }

    static Analyzer analyzer(Path folder, List<String> description) throws Exception {
        CustomAnalyzer.Builder builder = CustomAnalyzer.builder(folder);
        for (int i = 0; i < description.size(); i++) {
            String[] columns = description.get(i).split("\t");
            Map<String, String> settings = new HashMap<>();
            for (String setting : Arrays.asList(columns).subList(1, columns.length)) {
                String[] pair = setting.split("=", 2);
                settings.put(pair[0], pair[1]);
            }
            builder = i == 0 ? builder.withTokenizer(columns[0], settings)
                             : builder.addTokenFilter(columns[0], settings);
        }
        return builder.build();
    }

    static void tokens(Analyzer analyzer, List<String> lines, PrintStream out) throws Exception {
        for (String line : lines) {
            List<String> told = new ArrayList<>();
            try (TokenStream stream = analyzer.tokenStream("text", line)) {
                CharTermAttribute text = stream.addAttribute(CharTermAttribute.class);
                PositionIncrementAttribute step = stream.addAttribute(PositionIncrementAttribute.class);
                OffsetAttribute place = stream.addAttribute(OffsetAttribute.class);
                stream.reset();
                while (stream.incrementToken()) {
                    told.add(text + "," + step.getPositionIncrement() + "," + place.startOffset() + ","
                             + place.endOffset());
                }
                stream.end();
            }
            out.println(String.join("\t", told));
        }
    }

    static void search(Analyzer index, Analyzer query, List<String> lines, PrintStream out) throws Exception {
        int documents = lines.indexOf("queries");
        ByteBuffersDirectory directory = new ByteBuffersDirectory();
        try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(index))) {
            for (String line : lines.subList(0, documents)) {
                Document document = new Document();
                document.add(new TextField("text", line, Field.Store.NO));
                writer.addDocument(document);
            }
        }
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
            IndexSearcher searcher = new IndexSearcher(reader);
            QueryBuilder builder = new QueryBuilder(query);
            for (String line : lines.subList(documents + 1, lines.size())) {
                Query asked = line.startsWith("\"") ? builder.createPhraseQuery("text", line)
                                                    : builder.createBooleanQuery("text", line, BooleanClause.Occur.MUST);
                TreeSet<Integer> found = new TreeSet<>();
                for (ScoreDoc hit : searcher.search(asked, documents + 1).scoreDocs) {
                    found.add(hit.doc);
                }
                out.println(found);
            }
        }
    }
}
